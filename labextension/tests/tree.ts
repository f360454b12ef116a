// Reads a tree of Preact nodes as elements, attributes and text: what a browser would get.
import type { ComponentChild, VNode } from "preact";

export interface Seen {
  names: Set<string>;
  attributes: Set<string>;
  hrefs: string[];
  text: string;
}

export function seen(children: ComponentChild): Seen {
  const all: Seen = { names: new Set(), attributes: new Set(), hrefs: [], text: "" };
  walk(children, all);
  return all;
}

function walk(child: ComponentChild, all: Seen): void {
  if (Array.isArray(child)) return (child as ComponentChild[]).forEach((one) => walk(one, all));
  if (typeof child === "string" || typeof child === "number") return void (all.text += String(child));
  if (child === null || child === undefined || typeof child === "boolean") return;
  const { type, props } = child as VNode<Record<string, unknown>>;
  if (typeof type !== "string") throw new Error("a component, where only elements are expected");
  all.names.add(type);
  for (const [name, value] of Object.entries(props)) {
    if (name === "children") continue;
    all.attributes.add(name);
    if (name === "href") all.hrefs.push(String(value));
    if (typeof value === "function" || typeof value === "object") throw new Error(`${name} is no plain value`);
  }
  walk(props.children as ComponentChild, all);
}
