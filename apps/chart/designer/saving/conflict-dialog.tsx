/**
 * Another person has saved the chart while it was changed here: shows the differences, and three
 * choices, none of which loses a drawing without a question.
 */
import { useState } from 'react';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import type { Conflict } from '#apps/chart/designer/line/session.ts';
import { ToldList, useDifferences } from './told-list.tsx';
import { useSession } from './use-session.ts';
import { tellMoment } from '#apps/chart/designer/line/when.ts';

export function ConflictDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const conflict = useSession((state) => state.conflict);
  return conflict && <Choice studio={studio} onClose={onClose} conflict={conflict} />;
}

interface ChoiceLook {
  studio: Studio;
  onClose: () => void;
  conflict: Conflict;
}

function useChoices({ studio, conflict, onClose }: ChoiceLook) {
  const { session } = useDesigner();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState(false);
  const takeTheirs = () => {
    session.take(conflict.doc, conflict.version, conflict.isDraft);
    studio.say('Hai davanti la pianta dell’altra persona.');
    onClose();
  };
  const keepMine = () => {
    session.startFrom(conflict.version);
    onClose();
  };
  const copyMine = async () => {
    if (isBusy) return;
    setBusy(true);
    const { doc } = studio.state;
    try {
      await session.calls.saveCopy(doc, `${doc.root.name ?? 'Pianta'} (copia)`);
      takeTheirs();
      studio.say('La tua pianta è salvata come copia.');
    } catch {
      setFault(true);
      setBusy(false);
    }
  };
  return { takeTheirs, keepMine, copyMine, isBusy, fault };
}

function Choice(given: ChoiceLook) {
  const { conflict, onClose, studio } = given;
  const mine = useStudio(studio, (state) => state.doc);
  const told = useDifferences(conflict.doc, mine);
  const { takeTheirs, keepMine, copyMine, isBusy, fault } = useChoices(given);
  const who = conflict.savedBy ?? 'Un’altra persona';
  const when = conflict.savedAt ? ` (${tellMoment(conflict.savedAt)})` : '';
  return (
    <Dialog
      title="Due persone su una pianta"
      wide
      onClose={onClose}
      footer={
        <>
          <Button onPress={takeTheirs}>Prendi la sua</Button>
          <Button onPress={() => void copyMine()} disabled={isBusy}>
            Salva la mia come copia
          </Button>
          <Button look="primary" onPress={keepMine}>
            Tieni la mia
          </Button>
        </>
      }
    >
      <div className="bsd-stack">
        <p>
          {who} ha salvato questa pianta{when} mentre la cambiavi. Finché non scegli, la tua resta
          in questo browser e non si salva.
        </p>
        <h3>Rispetto alla sua, la tua ha</h3>
        <ToldList told={told} />
        <p className="bsd-hint">
          «Tieni la mia» sostituisce la sua bozza. Con «Salva la mia come copia» restano tutte e
          due: la tua diventa una pianta nuova.
        </p>
        {fault && (
          <p className="bsd-note" data-tone="bad" role="alert">
            La copia non è stata salvata. Riprova.
          </p>
        )}
      </div>
    </Dialog>
  );
}
