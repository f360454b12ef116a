// Owns reading a chart: bars over one axis, with the SQL that made them. It never throws.
import { many, num, raw, text, texts } from "./parse";

export interface Span {
  start: number;
  end: number;
  tone: string;
}

export interface Bar {
  label: string;
  spans: Span[];
  value: string;
  detail: string;
}

/** `spans` are in shares of the axis. */
export interface Chart {
  title: string;
  bars: Bar[];
  tones: string[];
  notes: string[];
  sql: string;
}

const share = (value: unknown): number => Math.min(1, Math.max(0, num(value)));

/** A tone as a part of a class name. */
export const toneOf = (value: unknown): string => text(value).replaceAll(/\W+/g, "-");

export function parseChart(value: unknown): Chart {
  const from = raw(value);
  return {
    title: text(from.title),
    bars: many(from.bars, (bar) => ({
      label: text(bar.label), value: text(bar.value), detail: text(bar.detail),
      spans: many(bar.spans, (span) => ({ start: share(span.start), end: share(span.end), tone: toneOf(span.tone) })),
    })),
    tones: texts(from.tones),
    notes: texts(from.notes),
    sql: text(from.sql),
  };
}
