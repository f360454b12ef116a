// Owns a small mark in words, with the tone that Python gave it.
import type { Tone } from "./model";

export function Tag({ words, tone }: { words: string; tone: Tone }) {
  return words ? <span class={`lzu-tag ${tone}`}>{words}</span> : null;
}
