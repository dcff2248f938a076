/** A menu under a button, or at a point of the canvas: arrows, first letters, Esc. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Icon, type IconName } from './icons.tsx';
import css from './menu.css?inline';
import { focusCanvas } from './focus.ts';
import { registerStyle } from './style.ts';

registerStyle(css);

export interface MenuLine {
  id: string;
  title: string;
  icon?: IconName;
  keys?: string;
  disabled?: boolean;
  run: () => void;
}

interface MenuLook {
  label: string;
  /** Groups are separated by a line. */
  groups: MenuLine[][];
  /** Client coordinates; if left out, the menu opens under its previous sibling. */
  at?: { x: number; y: number };
  onClose: () => void;
}

function stepOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** The menu line to which a key moves. */
function lineOf(menu: HTMLElement, key: string): HTMLButtonElement | undefined {
  const lines = [...menu.querySelectorAll('button')];
  const index = lines.indexOf(document.activeElement as HTMLButtonElement);
  if (key.length > 1) return lines[stepOf(key, index, lines.length) ?? -1];
  return [...lines.slice(index + 1), ...lines].find((line) =>
    line.textContent?.toLowerCase().startsWith(key.toLowerCase()),
  );
}

/** Takes the focus, stays within the window, and closes when the press is outside. */
function useStanding({ at, onClose }: Pick<MenuLook, 'at' | 'onClose'>) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  /** True once a line was chosen; then the canvas gets the focus, and else what had it. */
  const isChosen = useRef(false);
  useEffect(() => {
    const before = document.activeElement;
    const element = menu.current;
    if (!element) return undefined;
    const chosen = isChosen;
    const home = element.closest('.bsd');
    element.querySelector('button')?.focus();
    const { right, bottom, width, height } = element.getBoundingClientRect();
    if (at && right > innerWidth) element.style.left = `${Math.max(0, at.x - width)}px`;
    if (at && bottom > innerHeight)
      element.style.top = `${Math.max(0, innerHeight - height - 8)}px`;
    const away = (event: Event) => {
      if (!element.contains(event.target as Node)) close.current();
    };
    document.addEventListener('pointerdown', away);
    return () => {
      document.removeEventListener('pointerdown', away);
      if (chosen.current) focusCanvas(home);
      else if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [at]);
  return { menu, isChosen };
}

export function Menu({ label, groups, at, onClose }: MenuLook) {
  const { menu, isChosen } = useStanding({ at, onClose });
  const choose = () => {
    isChosen.current = true;
    onClose();
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const isOver = event.key === 'Escape' || event.key === 'Tab';
    const found = isOver || !menu.current ? undefined : lineOf(menu.current, event.key);
    if (isOver) onClose();
    else found?.focus();
    if (isOver || found) event.preventDefault();
  };
  return (
    <div
      ref={menu}
      className="bsd-menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      data-at={at ? 'point' : undefined}
      style={at && { left: at.x, top: at.y }}
      onKeyDown={press}
    >
      {groups
        .filter((group) => group.length > 0)
        .map((group, index) => (
          <div key={group[0]?.id} role="none">
            {index > 0 && <hr />}
            {group.map((line) => (
              <Line key={line.id} line={line} onChoose={choose} />
            ))}
          </div>
        ))}
    </div>
  );
}

function Line({ line, onChoose }: { line: MenuLine; onChoose: () => void }) {
  return (
    <button
      type="button"
      role="menuitem"
      className="bsd-menu-line"
      aria-disabled={line.disabled || undefined}
      onClick={() => {
        if (line.disabled) return;
        onChoose();
        line.run();
      }}
    >
      {line.icon && <Icon name={line.icon} />}
      {line.title}
      {line.keys && <kbd>{line.keys}</kbd>}
    </button>
  );
}

interface MenuButtonLook {
  title: string;
  icon: IconName;
  groups: () => MenuLine[][];
}

export function MenuButton({ title, icon, groups }: MenuButtonLook) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="bsd-menu-holder">
      <button
        type="button"
        className="bsd-button"
        data-look="plain"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={title}
        title={title}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <Icon name={icon} />
        <span>{title}</span>
      </button>
      {isOpen && <Menu label={title} groups={groups()} onClose={() => setOpen(false)} />}
    </div>
  );
}
