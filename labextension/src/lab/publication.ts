// Owns reading what an output says of its task. It trusts nothing in it: a notebook may come from anybody.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import type { MimeModel } from "./jupyter";

export const PUBLICATION = "application/vnd.lazyboy.publication+json";

const TASK_ID = /^[0-9a-f-]{36}$/;
const PLACE = /^lazyboy-[0-9a-f]{32}$/;

/** All that an output says of its task, and the same as Markdown. */
export interface Publication {
  /** Empty: it is none of ours, and no kernel is asked for it. */
  taskId: string;
  /** Where a widget draws itself; empty where there was none. */
  place: string;
  card: Message;
  sources: unknown;
  guide: unknown;
  markdown: string;
}

const matching = (value: unknown, form: RegExp): string => (form.test(text(value)) ? text(value) : "");
const isObject = (value: unknown): value is Message => typeof value === "object" && value !== null && !Array.isArray(value);

export function publicationOf({ data }: Pick<MimeModel, "data">): Publication {
  const saved = isObject(data[PUBLICATION]) ? data[PUBLICATION] : {};
  const { task_id, place, card, sources, guide, question, status, headline } = saved;
  const markdown = data["text/markdown"];
  return {
    taskId: matching(task_id, TASK_ID),
    place: matching(place, PLACE),
    card: { question, status, headline, ...(isObject(card) ? card : {}) },
    sources,
    guide,
    markdown: Array.isArray(markdown) ? markdown.map(text).join("") : text(markdown),
  };
}

/** What a kernel says of its task as an output, in the place that the output has. */
export function placed(output: Message, place: string): Record<string, unknown> {
  const kept = output[PUBLICATION];
  if (place === "" || !isObject(kept)) return output;
  const html = `<div data-lazyboy-view="${place}">${text(output["text/html"])}</div>`;
  return { ...output, "text/html": html, [PUBLICATION]: { ...kept, place } };
}
