/** Before a chart is published: the changes, the errors, and the sold places to be lost. */
import { useEffect, useMemo, useState } from 'react';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { refusedChanges } from '#server/drawing/diff/safe.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { DesignerRefused } from '#server/standins/seatsio/wire.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { CallRefused } from '#apps/chart/designer/line/calls.ts';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import { contentsOf } from '#apps/chart/designer/kit/contents.ts';
import { Evenings, type Sale } from './evenings-list.tsx';
import { RefusedList } from './refused-list.tsx';
import { holdingOf, type Held } from '#apps/chart/designer/line/safe-mode.ts';
import type { Session } from '#apps/chart/designer/line/session.ts';
import { ToldList, useDifferences } from './told-list.tsx';

interface Known {
  published: Doc;
  held: readonly Held[];
  /** Null where the page does not know them. */
  sale: Sale | null;
}

/** Saves first, then reads the published drawing and the holders of places. */
async function prepare(session: Session, { tellEvenings }: DesignerConfig): Promise<Known> {
  await session.save();
  if (session.isChanged || !session.isStored) throw new CallRefused(0, 'NOT_SAVED');
  const [published, taken, sale] = await Promise.all([
    session.calls.readDrawing('published'),
    session.calls.readTaken(),
    // The names help to decide; without them the chart can be published all the same.
    tellEvenings?.().catch(() => null) ?? null,
  ]);
  return { published: published.doc, held: [...holdingOf(taken).values()], sale };
}

function usePreparation() {
  const { session, config } = useDesigner();
  const [known, setKnown] = useState<Known | null>(null);
  const [fault, setFault] = useState(false);
  useEffect(() => {
    let isOver = false;
    prepare(session, config()).then(
      (found) => !isOver && setKnown(found),
      () => !isOver && setFault(true),
    );
    return () => {
      isOver = true;
    };
  }, [session, config]);
  return { known, fault };
}

/** The server's reason when it refuses after all. */
function tellRefusal(error: unknown): string {
  const { status, code, data } = error instanceof CallRefused ? error : new CallRefused(0, '');
  if (code === 'OBJECTS_NOT_FREE') {
    const places = (data as DesignerRefused).refused.map(({ label }) => label).slice(0, 10);
    return `Qualcuno ha questi posti: ${places.join(', ')}. La pianta non è stata pubblicata.`;
  }
  if (status === 409) return 'Qualcun altro ha salvato la pianta: chiudi e guarda le differenze.';
  if (code === 'DRAFT_NOT_FOUND') return 'Non c’è niente da pubblicare.';
  if (status === 400) return 'La pianta ha errori: guarda i controlli.';
  return 'Non so se la pubblicazione è riuscita. Riprova.';
}

interface DialogLook {
  studio: Studio;
  onClose: () => void;
}

export function PublishDialog({ studio, onClose }: DialogLook) {
  const { known, fault } = usePreparation();
  if (known) return <Decision studio={studio} onClose={onClose} known={known} />;
  return (
    <Dialog title="Pubblica la pianta" onClose={onClose}>
      {fault ? (
        <p className="bsd-note" data-tone="bad" role="alert">
          La bozza non è salvata, quindi non si può pubblicare. Controlla la connessione e riprova.
        </p>
      ) : (
        <p role="status">Sto confrontando la bozza con la pianta in vendita…</p>
      )}
    </Dialog>
  );
}

function usePublishing({ studio, onClose }: DialogLook) {
  const { session } = useDesigner();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const publish = async () => {
    setBusy(true);
    try {
      const { publishedVersion } = await session.calls.publish(session.state.version);
      session.published(publishedVersion);
      studio.say('Pianta pubblicata.');
      onClose();
    } catch (error) {
      setRefusal(tellRefusal(error));
      setBusy(false);
    }
  };
  return { isBusy, refusal, publish };
}

function Decision({ studio, onClose, known }: DialogLook & { known: Known }) {
  const { session, showPanel } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const told = useDifferences(known.published, doc);
  const findings = useMemo(() => checkDrawing(saveDrawing(doc)), [doc]);
  const refused = useMemo(
    () => refusedChanges({ before: known.published, after: doc }, known.held),
    [known, doc],
  );
  const { isBusy, refusal, publish } = usePublishing({ studio, onClose });
  const errors = findings.filter(({ severity }) => severity === 'error');
  const isBarred = errors.length > 0 || refused.length > 0 || !session.state.isDraft;
  const show = () => {
    studio.set({ overlay: 'difference' });
    showPanel('differences');
    onClose();
  };
  return (
    <Dialog
      title="Pubblica la pianta"
      wide
      onClose={onClose}
      footer={
        <>
          <Button icon="difference" onPress={show}>
            Mostra sulla pianta
          </Button>
          <Button onPress={onClose}>Annulla</Button>
          <Button look="primary" disabled={isBarred || isBusy} onPress={() => void publish()}>
            Pubblica
          </Button>
        </>
      }
    >
      <div className="bsd-stack">
        {refusal && (
          <p className="bsd-note" data-tone="bad" role="alert">
            {refusal}
          </p>
        )}
        {refused.length > 0 && (
          <section className="bsd-note bsd-stack" data-tone="bad">
            <h3>Qualcuno ha questi posti: così non si può pubblicare</h3>
            <RefusedList refused={refused} />
          </section>
        )}
        <Findings findings={findings} />
        {known.sale && <Evenings sale={known.sale} published={known.published} doc={doc} />}
        <h3>Che cosa cambia</h3>
        {known.published.items.size === 0 ? (
          <p>{`È la prima pubblicazione: ${contentsOf(doc)}.`}</p>
        ) : (
          <ToldList told={told} />
        )}
      </div>
    </Dialog>
  );
}

function Findings({ findings }: { findings: ReturnType<typeof checkDrawing> }) {
  if (findings.length === 0)
    return (
      <p className="bsd-note" data-tone="good">
        I controlli non trovano niente da dire.
      </p>
    );
  const isGrave = findings.some(({ severity }) => severity === 'error');
  return (
    <section className="bsd-note bsd-stack" data-tone={isGrave ? 'bad' : 'warn'}>
      <h3>{isGrave ? 'Da correggere prima di pubblicare' : 'Da guardare'}</h3>
      <ul>
        {findings.slice(0, 30).map(({ severity, where, message }) => (
          <li key={`${where} ${message}`}>
            <b>{where}</b>: {message}.{severity === 'error' && ' (errore)'}
          </li>
        ))}
        {findings.length > 30 && <li>… e altri {findings.length - 30}.</li>}
      </ul>
    </section>
  );
}
