// Owns what a screen reader is told: phases, publications and errors. Never ticks, never streamed text.
import type { Session } from "./session";
import { trans, wordsOf } from "./words";

export interface Moment {
  phase: string;
  published: string;
  answer: string;
  trouble: string;
}

export function momentOf(session: Session): Moment {
  const { card, guide, current } = session;
  const lost = session.live && session.shown === "unknown";
  const additions = guide?.sections.map((section) => section.title).join(", ") ?? "";
  const trouble = [...session.troubles.values()].at(-1);
  return {
    phase: lost ? wordsOf("unknown") : [card?.headline, card?.asked].filter(Boolean).join(": "),
    published: !guide ? "" : additions ? trans.__("Guide published: %1", additions) : trans.__("Guide published"),
    answer: current ? `${trans.__("Question %1", current.ordinal)}: ${current.status_words}${current.problem ? `. ${current.problem}` : ""}` : "",
    trouble: trouble ? `${trouble.error} ${trouble.hint}`.trim() : card?.live === false ? card.error : "",
  };
}

/** What is new, as one sentence; empty when there is nothing to say. */
export function announcement(before: Moment, now: Moment): string {
  const keys = ["published", "phase", "answer", "trouble"] as const;
  return keys.filter((key) => now[key] !== "" && now[key] !== before[key]).map((key) => now[key]).join(". ");
}
