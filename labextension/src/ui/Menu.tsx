// Owns the export menu: a menu button by the ARIA pattern. What an entry does is the caller's.
import { useView } from "./context";

interface Props {
  k: string;
  words: string;
  entries: { words: string; act: () => void }[];
  disabled: boolean;
}

export function Menu({ k, words, entries, disabled }: Props) {
  const view = useView();
  const { session } = view;
  const key = `menu:${k}`;
  const id = `${view.id}-${k}`;
  const open = session.open.has(key);
  const entry = (index: number) => `${key}:${(index + entries.length) % entries.length}`;
  const close = () => {
    view.focus(key);
    session.toggle(key, false);
  };
  const show = () => {
    view.focus(entry(0));
    session.toggle(key, true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const at = Number((event.target as HTMLElement).dataset.k?.slice(key.length + 1) ?? -1);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (next !== undefined) view.focus(entry(next));
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onFocusOut = (event: FocusEvent) => {
    const menu = event.currentTarget as HTMLElement;
    setTimeout(() => {
      const left = menu.isConnected && document.hasFocus() && !menu.contains(document.activeElement);
      if (left && session.open.has(key)) session.toggle(key, false);
    }, 0);
  };
  return (
    <span class="lzu-menu" onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <button type="button" data-k={key} class="lzu-b plain" aria-haspopup="menu" aria-expanded={open} aria-controls={open ? id : undefined}
        aria-disabled={disabled || undefined} onClick={() => (disabled ? undefined : open ? close() : show())}>
        {words} <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <span class="lzu-menu-list" role="menu" id={id} aria-label={words} onMouseDown={(event) => event.preventDefault()}>
          {entries.map((one, index) => (
            <button key={one.words} type="button" role="menuitem" tabIndex={-1} data-k={entry(index)} class="lzu-menu-item"
              onClick={() => { close(); one.act(); }}>
              {one.words}
            </button>
          ))}
        </span>
      )}
    </span>
  );
}
