// Owns which way a kernel's API is asked: through the Jupyter server, or over a comm where that cannot be.
import type { Message } from "../ui/model";
import type { Answer, Api, ServerEvent } from "./api";
import { CommApi } from "./comm";
import { HttpApi } from "./http";
import type { Kernel, ServerSettings, Services } from "./jupyter";

export class KernelApi implements Api {
  readonly #http: HttpApi;
  readonly #comm: CommApi;
  #way: Api;

  constructor(services: Services, settings: ServerSettings, kernel: Kernel) {
    this.#way = this.#http = new HttpApi(services, settings, kernel.id);
    this.#comm = new CommApi(kernel);
  }

  /** A cell of its notebook has run. */
  ran(): void {
    this.#comm.ran();
  }

  async isOffered(): Promise<boolean | null> {
    const where = await this.#http.where();
    if (where === null) return null;
    this.#way = where === "kernel" ? this.#comm : this.#http;
    return where === "kernel" ? this.#comm.isOffered() : where === "here";
  }

  ask(method: string, path: string, body?: Message): Promise<Answer> {
    return this.#way.ask(method, path, body);
  }

  listen(path: string, last: string, silence: number, signal: AbortSignal, heard: (event: ServerEvent) => void): Promise<boolean> {
    return this.#way.listen(path, last, silence, signal, heard);
  }
}
