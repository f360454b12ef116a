// Owns how the unit tests run: in plain Node, without a browser and without a network.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["tests/**/*.test.ts?(x)"], environment: "node", testTimeout: 120_000 },
});
