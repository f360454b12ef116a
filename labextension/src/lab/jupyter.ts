// Owns what we know of JupyterLab and Notebook 7: the few things of theirs that we use, as interfaces. Their
// packages come from the page itself, through the scope that it shares with every extension.

export interface Signal<S, A> {
  connect(slot: (sender: S, args: A) => void): boolean;
  disconnect(slot: (sender: S, args: A) => void): boolean;
}

export interface Kernel {
  id: string;
  status: string;
  requestExecute(content: {
    code: string; silent?: boolean; store_history?: boolean; user_expressions?: Record<string, string>;
  }): { done: Promise<unknown> };
  createComm(target: string): Comm;
}

export interface Comm {
  isDisposed: boolean;
  onMsg: (message: { content: { data: Record<string, unknown> } }) => void;
  onClose: (message: unknown) => void;
  open(data: Record<string, unknown>): unknown;
  send(data: Record<string, unknown>): unknown;
}

export interface SessionContext {
  path: string;
  session: { kernel: Kernel | null } | null;
  kernelChanged: Signal<unknown, unknown>;
  statusChanged: Signal<unknown, string>;
  iopubMessage: Signal<unknown, { header: { msg_type: string } }>;
}

export interface Panel {
  isDisposed: boolean;
  node: HTMLElement;
  sessionContext?: SessionContext;
}

export interface CellModel {
  type: string;
  mimeType: string;
  sharedModel: { getSource(): string };
  contentChanged: Signal<CellModel, unknown>;
  mimeTypeChanged: Signal<CellModel, unknown>;
  /** Of a code cell. */
  executionState?: string;
  outputs?: { length: number; add(output: Record<string, unknown>): number };
}

export interface NotebookPanel extends Panel {
  context: { ready: Promise<unknown> };
  content: {
    activeCell: { node: HTMLElement } | null;
    model: {
      cells: { length: number; get(index: number): CellModel; changed: Signal<unknown, { newValues: CellModel[] }> };
    } | null;
  };
}

export interface NotebookTracker {
  currentWidget: NotebookPanel | null;
  widgetAdded: Signal<unknown, NotebookPanel>;
  forEach(each: (panel: NotebookPanel) => void): void;
}

/** An output's forms by MIME type; what is set is what the notebook's file keeps. */
export interface MimeModel {
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
  setData(options: { data?: Record<string, unknown>; metadata?: Record<string, unknown> }): void;
}

export interface Renderer extends LabWidget {
  renderModel(model: MimeModel): Promise<void>;
}

export interface RenderMimeRegistry {
  addFactory(factory: { safe: boolean; mimeTypes: string[]; defaultRank: number; createRenderer: () => Renderer }): void;
}

export interface LabWidget {
  id: string;
  node: HTMLElement;
  title: { label: string; caption: string; icon?: LabIcon };
  parent: LabWidget | null;
  isAttached: boolean;
  isVisible: boolean;
  show(): void;
  /** Lumino's messages: the widget was shown, or hidden, with what it is in. */
  onAfterShow?: () => void;
  onAfterHide?: () => void;
  /** It came into the page, or is about to leave it: JupyterLab takes cells out that are scrolled out of sight. */
  onAfterAttach?: () => void;
  onBeforeDetach?: () => void;
  onAfterDetach?: () => void;
  disposed: Signal<unknown, unknown>;
  addClass(name: string): void;
}

export interface ServerSettings {
  baseUrl: string;
}

export interface App {
  commands: {
    addCommand(id: string, options: { label: string; caption?: string; execute: () => unknown }): unknown;
    execute(id: string): Promise<unknown>;
  };
  shell: {
    currentWidget: Panel | null;
    currentChanged?: Signal<unknown, unknown>;
    add(widget: LabWidget, area: string, options?: { rank?: number }): void;
    activateById(id: string): void;
  };
  serviceManager: { serverSettings: ServerSettings };
  restored: Promise<unknown>;
}

export interface StatusBar {
  registerStatusItem(id: string, item: { item: LabWidget; align: "left" | "right" | "middle"; rank?: number }): unknown;
}

export interface Settings {
  get(name: string): { composite: unknown };
  changed: Signal<unknown, unknown>;
}

export interface SettingRegistry {
  load(plugin: string): Promise<Settings>;
}

export interface Palette {
  addItem(item: { command: string; category: string }): unknown;
}

export interface Plugin {
  id: string;
  description: string;
  autoStart: true;
  requires: unknown[];
  optional: unknown[];
  activate(app: App, ...services: unknown[]): void;
}

export interface LabIcon {
  name: string;
}

/** `@jupyterlab/ui-components`. */
export interface Ui {
  LabIcon: new (options: { name: string; svgstr: string }) => LabIcon;
}

/** `@lumino/widgets`. */
export interface Lumino {
  Widget: {
    new (options?: { node?: HTMLElement }): LabWidget;
    attach(widget: LabWidget, host: HTMLElement): void;
    detach(widget: LabWidget): void;
  };
}

/** `@jupyterlab/services`. */
export interface Services {
  ServerConnection: { makeRequest(url: string, init: RequestInit, settings: ServerSettings): Promise<Response> };
}
