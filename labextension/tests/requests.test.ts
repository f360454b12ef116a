// Requests get their replies by id, or fail in time.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Message } from "../src/ui/model";
import type { Reply } from "../src/ui/requests";
import { REQUEST_LIMIT, Requests } from "../src/ui/requests";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function wire(send?: (message: Message) => void) {
  const sent: Message[] = [];
  const requests = new Requests({ get: () => null, on: () => () => undefined, send: send ?? ((message) => sent.push(message)) });
  return { sent, requests };
}

it("gives each request its own reply, in any order", () => {
  const { requests } = wire();
  const replies: Record<string, Reply> = {};
  const one = requests.send({ type: "ask" }, (reply) => (replies.one = reply));
  const two = requests.send({ type: "stop" }, (reply) => (replies.two = reply));
  expect(requests.take({ type: "reply", id: two, ok: true, count: 2 })).toBe(true);
  expect(requests.take({ type: "reply", id: one, ok: false, error: "Four are running.", hint: "Wait." })).toBe(true);
  expect(replies.two).toEqual({ ok: true, data: { count: 2 } });
  expect(replies.one).toEqual({ ok: false, answered: true, error: "Four are running.", hint: "Wait." });
});

it("sends the message with a number of its own", () => {
  const { sent, requests } = wire();
  const ids = [1, 2, 3].map(() => requests.send({ type: "hello" }, () => undefined));
  expect(new Set(ids).size).toBe(3);
  expect(sent.map((message) => message.id)).toEqual(ids);
  expect(sent.every((message) => Number.isSafeInteger(message.id) && message.type === "hello")).toBe(true);
});

it("two pages on one kernel do not take each other's replies", () => {
  const one = wire();
  const other = wire();
  const settled = vi.fn();
  other.requests.send({ type: "stop" }, settled);
  const id = one.requests.send({ type: "stop" }, () => undefined);
  expect(other.requests.take({ type: "reply", id, ok: true })).toBe(false);
  expect(settled).not.toHaveBeenCalled();
});

it("fails once after the limit; a later reply is nobody's", () => {
  const { requests } = wire();
  const settled = vi.fn();
  const id = requests.send({ type: "stop" }, settled);
  vi.advanceTimersByTime(REQUEST_LIMIT - 1);
  expect(settled).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ ok: false, answered: false }));
  expect(requests.take({ type: "reply", id, ok: true })).toBe(false);
  expect(settled).toHaveBeenCalledTimes(1);
});

it("a reply in time ends the wait", () => {
  const { requests } = wire();
  const settled = vi.fn();
  const id = requests.send({ type: "stop" }, settled);
  requests.take({ type: "reply", id, ok: true });
  requests.take({ type: "reply", id, ok: true });
  vi.advanceTimersByTime(REQUEST_LIMIT * 2);
  expect(settled).toHaveBeenCalledTimes(1);
});

it("a connection that throws is a failure, not an exception", () => {
  const { requests } = wire(() => {
    throw new Error("closed");
  });
  const settled = vi.fn();
  requests.send({ type: "stop" }, settled);
  vi.advanceTimersByTime(0);
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ ok: false }));
});

it.each([{ type: "beat", id: 1 }, { type: "reply" }, { type: "reply", id: "1" }, {}])("%j is no reply of ours", (message) => {
  expect(wire().requests.take(message)).toBe(false);
});
