/**
 * Messages during drawing: the drawing was saved elsewhere, another person is drawing, an edit
 * was refused.
 */
import { useState } from 'react';
import type { Refused } from '#server/drawing/diff/safe.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { Icon } from '#apps/chart/designer/kit/icons.tsx';
import css from './line.css?inline';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { RefusedList } from './refused-list.tsx';
import type { Held } from '#apps/chart/designer/line/safe-mode.ts';
import { useSession } from './use-session.ts';

registerStyle(css);

export function NewerNotice() {
  const { session, studio } = useDesigner();
  const newer = useSession((state) => state.newer);
  const [fault, setFault] = useState(false);
  if (!newer) return null;
  const update = async () => {
    setFault(false);
    try {
      const { doc, version } = await session.calls.readDrawing('current');
      session.take(doc, version, version !== session.state.publishedVersion);
      studio.say('Pianta aggiornata.');
    } catch {
      setFault(true);
    }
  };
  return (
    <div className="bsd-newer bsd-note" data-tone="warn" role="alert">
      <span>
        {newer.savedBy ?? 'Un’altra persona'} ha salvato questa pianta.
        {fault && ' Non si è letta: riprova.'}
      </span>
      <Button onPress={() => void update()}>Aggiorna</Button>
    </div>
  );
}

/** Who else has the chart open. */
export function People() {
  const people = useSession((state) => state.people);
  const others = people.filter(({ isYou }) => !isYou);
  if (others.length === 0) return null;
  const names = others.map(({ name }) => name ?? 'un’altra persona').join(', ');
  return (
    <span className="bsd-people" title={`Hanno aperto la pianta: ${names}`}>
      <Icon name="people" />
      <span className="bsd-hidden">Hanno aperto la pianta: {names}</span>
      <span aria-hidden="true">{others.length}</span>
    </span>
  );
}

interface RefusalLook {
  refused: readonly Refused<Held>[];
  onClose: () => void;
}

export function RefusalDialog({ refused, onClose }: RefusalLook) {
  return (
    <Dialog
      title="Qualcuno ha questi posti"
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose}>
          Ho capito
        </Button>
      }
    >
      <div className="bsd-stack">
        <p>
          La modifica non è stata fatta: questi posti si possono spostare e ricolorare, non togliere
          né rinominare.
        </p>
        <RefusedList refused={refused} />
      </div>
    </Dialog>
  );
}
