// The theory of DESIGN §8 as a table: these facts, then this is shown.
import { describe, expect, it } from "vitest";
import type { Fact } from "../src/ui/activity";
import { animates, firstBelief, isDue, shownOf, step } from "../src/ui/activity";
import type { Activity, ActivityName } from "../src/ui/model";

const of = (state: ActivityName, pending: string | null = null): Activity => ({
  state,
  task_ids: state === "idle" ? [] : ["t1"],
  pending_question: pending,
});
const A = "agent-a";
const shown = (at: number, version: number, state: ActivityName, agentId = A): Fact => ({ type: "shown", at, version, agentId, activity: of(state) });
const beat = (at: number, version: number, state: ActivityName): Fact => ({ type: "beat", at, version, activity: of(state) });
const asked = (at: number, id: number): Fact => ({ type: "asked", at, id });
const answered = (at: number, id: number, version: number, state: ActivityName, agentId = A): Fact => ({ type: "answered", at, id, version, agentId, activity: of(state) });
const lost = (at: number): Fact => ({ type: "lost", at });
const refused = (at: number, id: number): Fact => ({ type: "refused", at, id });
const ticked = (at: number): Fact => ({ type: "ticked", at });

const after = (facts: Fact[], state: ActivityName = "running") => facts.reduce(step, firstBelief(A, 5, of(state), 0));

const table: [string, Fact[], ReturnType<typeof shownOf>][] = [
  ["it begins with what the trait says", [], "running"],
  ["a newer trait is taken", [shown(10, 6, "queued")], "queued"],
  ["an older trait is dropped", [shown(10, 4, "idle")], "running"],
  ["an answer is taken", [asked(0, 1), answered(50, 1, 6, "idle")], "idle"],
  ["an answer of the same version is taken", [asked(0, 1), answered(50, 1, 5, "waiting_input")], "waiting_input"],
  ["an answer from before what is shown is dropped", [asked(0, 1), shown(20, 7, "running"), answered(50, 1, 6, "idle")], "running"],
  ["another agent's answer is dropped", [asked(0, 1), answered(50, 1, 9, "idle", "agent-b")], "running"],
  ["an answer that nobody asked for is dropped", [answered(50, 9, 9, "idle")], "running"],
  ["only the newest request's answer counts", [asked(0, 1), asked(10, 2), answered(50, 1, 9, "idle")], "running"],
  ["the newest request's answer counts", [asked(0, 1), asked(10, 2), answered(50, 2, 9, "idle")], "idle"],
  ["an answer counts once", [asked(0, 1), answered(50, 1, 6, "queued"), answered(60, 1, 7, "idle")], "queued"],
  ["a request may take just under its limit", [asked(0, 1), ticked(7_999)], "running"],
  ["at its limit it has failed", [asked(0, 1), ticked(8_000)], "unknown"],
  ["newer requests do not lengthen the silence", [asked(0, 1), asked(6_000, 2), ticked(8_000)], "unknown"],
  ["a late answer does not bring the state back", [asked(0, 1), ticked(8_000), answered(8_100, 1, 6, "idle")], "unknown"],
  ["the next answer does", [asked(0, 1), ticked(8_000), asked(9_000, 2), answered(9_100, 2, 6, "waiting_input")], "waiting_input"],
  ["a beat does", [asked(0, 1), ticked(8_000), beat(9_000, 5, "running")], "running"],
  ["a newer trait does", [asked(0, 1), ticked(8_000), shown(9_000, 6, "queued")], "queued"],
  ["an old beat does not", [asked(0, 1), ticked(8_000), beat(9_000, 4, "running")], "unknown"],
  ["beats while a request hangs: nothing is lost", [asked(0, 1), ...[2, 4, 6, 8].map((s) => beat(s * 1000, 5, "running")), ticked(8_500)], "running"],
  ["after the last beat the silence counts", [asked(0, 1), beat(2_000, 5, "running"), ticked(9_000), asked(9_000, 2), ticked(10_000)], "unknown"],
  ["without a request silence is no failure", [ticked(60_000)], "running"],
  ["a refusal says that nothing is known", [asked(0, 1), refused(20, 1)], "unknown"],
  ["who is known to be gone is unknown", [lost(20)], "unknown"],
  ["and known again by the next word", [lost(20), beat(30, 5, "running")], "running"],
  ["an old request's refusal says nothing", [asked(0, 1), asked(10, 2), refused(20, 1)], "running"],
  ["a beat with an older version is dropped", [beat(10, 8, "waiting_input"), beat(20, 7, "running")], "waiting_input"],
  ["another agent's card starts anew, whatever its version", [shown(10, 1, "queued", "agent-b")], "queued"],
];

describe("what is shown", () => {
  it.each(table)("%s", (_, facts, expected) => {
    expect(shownOf(after(facts))).toBe(expected);
  });

  it.each(["idle", "queued", "waiting_input"] as const)("%s does not move", (state) => {
    expect(animates(after([], state))).toBe(false);
  });

  it("running moves, until nothing is heard", () => {
    expect(animates(after([]))).toBe(true);
    expect(animates(after([asked(0, 1), ticked(8_000)]))).toBe(false);
  });

  it("keeps the pending question, whatever the state", () => {
    const belief = step(after([]), { type: "beat", at: 1, version: 6, activity: of("running", "Which port?") });
    expect(belief.activity.pending_question).toBe("Which port?");
  });

  it("any agent's answer counts where no agent is shown", () => {
    const belief = [asked(0, 1), answered(5, 1, 1, "running")].reduce(step, firstBelief(null, 0, of("idle"), 0));
    expect(shownOf(belief)).toBe("running");
  });
});

describe("when it asks", () => {
  it("every two seconds, and one at a time", () => {
    expect(isDue(after([]), 0)).toBe(true);
    const waiting = after([asked(0, 1)]);
    expect(isDue(waiting, 7_000)).toBe(false);
    const done = step(waiting, answered(100, 1, 6, "running"));
    expect(isDue(done, 1_999)).toBe(false);
    expect(isDue(done, 2_000)).toBe(true);
  });

  it("again after a request failed, with a beat or without one", () => {
    expect(isDue(after([asked(0, 1), ticked(8_000)]), 8_000)).toBe(true);
    expect(isDue(after([asked(0, 1), beat(7_000, 5, "running"), ticked(8_000)]), 8_000)).toBe(true);
  });

  it("a fact never changes the belief it came to", () => {
    const belief = Object.freeze(after([asked(0, 1)]));
    step(belief, answered(5, 1, 6, "idle"));
    expect(belief.asked).toEqual({ id: 1, at: 0 });
  });
});
