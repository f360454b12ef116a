// Owns a view model that is kept in the page: values by name, who listens to them, and messages back.
import type { Message, Ui } from "../ui/model";
import type { Answer } from "./api";

type Listener = (value: unknown) => void;

export abstract class Values implements Ui {
  readonly #values: Record<string, unknown>;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(values: Record<string, unknown>) {
    this.#values = values;
  }

  get(name: string): unknown {
    return this.#values[name] ?? null;
  }

  on(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Sets values, then tells; those who listen see all of them. */
  protected put(values: Record<string, unknown>): void {
    Object.assign(this.#values, values);
    for (const name of Object.keys(values)) this.#tell(name, values[name]);
  }

  /** Says what came of a message; of a server that does not answer nothing is said. */
  protected reply({ id }: Message, answer: Answer): void {
    if (answer.ok) this.say({ type: "reply", ok: true, ...answer.data, id });
    else if (answer.status > 0) this.say({ type: "reply", ok: false, error: answer.error, hint: answer.hint, id });
  }

  protected say(message: Message): void {
    this.#tell("message", message);
  }

  #tell(name: string, value: unknown): void {
    for (const one of [...(this.#listeners.get(name) ?? [])]) one(value);
  }

  abstract send(message: Message): void;
}
