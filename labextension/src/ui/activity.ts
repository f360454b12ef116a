// Owns what the interface believes an agent is doing (DESIGN §8). Pure: time comes in with the events,
// in milliseconds. It never sends, never waits, never reads a clock.
import type { Activity, ActivityName } from "./model";
import { REQUEST_LIMIT } from "./requests";

/** Milliseconds between two reconciliations. */
export const RECONCILE_EVERY = 2_000;

export type Shown = ActivityName | "unknown";

/**
 * `asked`: the newest request that waits for its answer. `waitingSince`: when the first request since
 * the last accepted word was sent. `heardAt`: when the last accepted word came. `lost`: nothing was
 * heard for too long.
 */
export interface Belief {
  agentId: string | null;
  version: number;
  activity: Activity;
  asked: { id: number; at: number } | null;
  sentAt: number;
  waitingSince: number | null;
  heardAt: number;
  lost: boolean;
}

export type Fact =
  | { type: "shown"; agentId: string | null; version: number; activity: Activity; at: number }
  | { type: "beat"; version: number; activity: Activity; at: number }
  | { type: "asked"; id: number; at: number }
  | { type: "answered"; id: number; agentId: string | null; version: number; activity: Activity; at: number }
  | { type: "refused"; id: number; at: number }
  | { type: "lost"; at: number }
  | { type: "ticked"; at: number };

export function firstBelief(agentId: string | null, version: number, activity: Activity, at: number): Belief {
  return { agentId, version, activity, asked: null, sentAt: -Infinity, waitingSince: null, heardAt: at, lost: false };
}

/** The belief after a fact. A fact that is stale, late or about another agent changes nothing. */
export function step(belief: Belief, fact: Fact): Belief {
  switch (fact.type) {
    case "shown":
      if (fact.agentId !== belief.agentId) return firstBelief(fact.agentId, fact.version, fact.activity, fact.at);
      return fact.version < belief.version ? belief : heard(belief, fact);
    case "beat":
      return fact.version < belief.version ? belief : heard(belief, fact);
    case "asked":
      return {
        ...belief,
        asked: { id: fact.id, at: fact.at },
        sentAt: fact.at,
        waitingSince: belief.waitingSince ?? fact.at,
      };
    case "answered":
      if (fact.id !== belief.asked?.id) return belief;
      if (belief.agentId !== null && fact.agentId !== null && fact.agentId !== belief.agentId) return belief;
      if (fact.version < belief.version) return belief;
      return { ...heard(belief, fact), asked: null };
    case "lost":
      return { ...belief, asked: null, lost: true };
    case "refused":
      return fact.id === belief.asked?.id ? { ...belief, asked: null, lost: true } : belief;
    case "ticked":
      return ticked(belief, fact.at);
  }
}

function heard(belief: Belief, fact: { version: number; activity: Activity; at: number }): Belief {
  const { version, activity, at } = fact;
  return { ...belief, version, activity, heardAt: at, waitingSince: null, lost: false };
}

// A request may hang because a cell computes; the engine's beat still comes then, and nothing is lost.
function ticked(belief: Belief, at: number): Belief {
  const { asked, waitingSince, heardAt } = belief;
  if (asked === null) return belief;
  const silentSince = Math.max(waitingSince ?? asked.at, heardAt);
  if (at - silentSince >= REQUEST_LIMIT) return { ...belief, asked: null, lost: true };
  return at - asked.at >= REQUEST_LIMIT ? { ...belief, asked: null, waitingSince: silentSince } : belief;
}

/** Whether it is time to ask again: one request at a time, so that a slow kernel's answer still counts. */
export function isDue(belief: Belief, at: number): boolean {
  return belief.asked === null && at - belief.sentAt >= RECONCILE_EVERY;
}

export const shownOf = (belief: Belief): Shown => (belief.lost ? "unknown" : belief.activity.state);

/** Only a running agent moves. */
export const animates = (belief: Belief): boolean => shownOf(belief) === "running";

/** What a task's status says before its end. */
export const LIVE: readonly string[] = ["queued", "running", "waiting_input"];
