/** A part of a page whose script is fetched when it is needed. */
import { createElement, lazy, useState, type ComponentType } from 'react';

/** One sentence is enough, however many parts are missing. */
let said = false;

/** Stands where an optional part is missing; without a line the page says so by itself. */
function NewVersion() {
  const [isFirst] = useState(() => {
    const is = !said && navigator.onLine !== false;
    said ||= is;
    return is;
  });
  if (!isFirst) return null;
  return createElement(
    'p',
    { className: 'soft', role: 'status' },
    'È uscita una nuova versione del sito: ',
    createElement('a', { href: '' }, 'ricarica la pagina'),
    ' per vederla tutta.',
  );
}

/**
 * Without a line, or after an upgrade, the script does not come: then `Missing` stands there, and
 * the rest of the page stays with what is written in it.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<Props> = NewVersion,
): ComponentType<Props> {
  return lazy(async () => ({ default: await load().catch(() => Missing) }));
}
