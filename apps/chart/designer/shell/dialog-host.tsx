/** The open dialog; its script is fetched when it is first opened. */
import { createElement, lazy, Suspense, type ComponentType } from 'react';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { dialogs } from './panels.ts';

type DialogComponent = ComponentType<{ studio: Studio; onClose: () => void }>;

/** Says that a dialog's script could not be fetched. */
function Missing({ onClose }: { studio: Studio; onClose: () => void }) {
  return (
    <Dialog title="Non si apre" onClose={onClose}>
      <p role="alert">Questa finestra non si è caricata. Controlla la connessione e riprova.</p>
    </Dialog>
  );
}

function componentOf(load: () => Promise<DialogComponent>): DialogComponent {
  return lazy(async () => ({ default: await load().catch(() => Missing as DialogComponent) }));
}

const components = new Map(dialogs.map(({ id, load }) => [id, componentOf(load)]));

interface HostLook {
  open: string | null;
  studio: Studio;
  onClose: () => void;
}

export function DialogHost({ open, studio, onClose }: HostLook) {
  const component = open === null ? undefined : components.get(open);
  return component && <Suspense>{createElement(component, { studio, onClose })}</Suspense>;
}
