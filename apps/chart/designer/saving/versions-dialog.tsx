/** The published drawings: any may become the draft again, and the draft may be discarded. */
import { useCallback, useEffect, useState } from 'react';
import type { DesignerSaved, DesignerVersion } from '#server/standins/seatsio/wire.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { useSession } from './use-session.ts';
import { tellMoment } from '#apps/chart/designer/line/when.ts';

interface DialogLook {
  studio: Studio;
  onClose: () => void;
}

/** Null until the server has answered; `fault` when it did not answer. */
function useVersions() {
  const { session } = useDesigner();
  const [versions, setVersions] = useState<DesignerVersion[] | null>(null);
  const [fault, setFault] = useState(false);
  const read = useCallback(() => {
    if (session.isStored) session.calls.listVersions().then(setVersions, () => setFault(true));
  }, [session]);
  useEffect(read, [read]);
  const retry = () => {
    setFault(false);
    read();
  };
  return { versions, fault, retry };
}

/** The drawing that replaces the draft; a person confirms first, because the draft is lost. */
type Wish = { version: number } | 'discard';

function useTaking({ studio, onClose }: DialogLook) {
  const { session } = useDesigner();
  const [wish, setWish] = useState<Wish | null>(null);
  const [fault, setFault] = useState(false);
  const run = async () => {
    const calls = session.calls;
    try {
      await session.save();
      const { version } = session.state;
      const saved: DesignerSaved =
        wish === 'discard'
          ? await calls.discard(version)
          : await calls.restore(version, (wish as { version: number }).version);
      const { doc } = await calls.readDrawing(saved.version);
      session.take(doc, saved.version, wish !== 'discard');
      session.updated();
      studio.say(wish === 'discard' ? 'Bozza scartata.' : 'La versione scelta è ora la bozza.');
      onClose();
    } catch {
      setWish(null);
      setFault(true);
    }
  };
  return { wish, setWish, run, fault };
}

interface QuestionLook {
  wish: Wish;
  onBack: () => void;
  onRun: () => void;
}

function Question({ wish, onBack, onRun }: QuestionLook) {
  const isDiscarding = wish === 'discard';
  return (
    <Dialog
      title={isDiscarding ? 'Scartare la bozza?' : 'Riprendere questa versione?'}
      onClose={onBack}
      footer={
        <>
          <Button onPress={onBack}>Annulla</Button>
          <Button look="danger" onPress={onRun}>
            {isDiscarding ? 'Scarta la bozza' : 'Riprendi'}
          </Button>
        </>
      }
    >
      <p>
        La bozza di adesso va persa. Quello che è pubblicato non cambia finché non pubblichi di
        nuovo.
      </p>
    </Dialog>
  );
}

function VersionLine({ version, onTake }: { version: DesignerVersion; onTake?: () => void }) {
  const { publishedAt, publishedBy, isPublished, places } = version;
  const name = publishedAt ? tellMoment(publishedAt) : 'Prima versione';
  return (
    <li className="bsd-version">
      <span>
        <b>{name}</b>
        {isPublished && ' · in uso'}
        <br />
        {publishedBy && `${publishedBy} · `}
        {places} posti
      </span>
      {onTake && (
        <Button onPress={onTake}>
          Riprendi<span className="bsd-hidden">: {name}</span>
        </Button>
      )}
    </li>
  );
}

export function VersionsDialog(look: DialogLook) {
  const { versions, fault, retry } = useVersions();
  const { wish, setWish, run, fault: failed } = useTaking(look);
  const isDraft = useSession((state) => state.isDraft && state.key !== null);
  const readOnly = useStudio(look.studio, (state) => state.readOnly);
  if (wish) return <Question wish={wish} onBack={() => setWish(null)} onRun={() => void run()} />;
  return (
    <Dialog title="Versioni pubblicate" onClose={look.onClose}>
      <div className="bsd-stack">
        {failed && (
          <p className="bsd-note" data-tone="bad" role="alert">
            Non è riuscito: la pianta è rimasta com’era. Riprova.
          </p>
        )}
        {fault && (
          <div className="bsd-note bsd-line" data-tone="bad" role="alert">
            Le versioni non si leggono. <Button onPress={retry}>Riprova</Button>
          </div>
        )}
        {!fault && !versions && <p>Sto leggendo le versioni…</p>}
        {versions?.length === 0 && <p>Questa pianta non è mai stata pubblicata.</p>}
        <ul>
          {versions?.map((version) => (
            <VersionLine
              key={version.version}
              version={version}
              onTake={
                readOnly || version.isPublished
                  ? undefined
                  : () => setWish({ version: version.version })
              }
            />
          ))}
        </ul>
        {isDraft && !readOnly && (versions?.length ?? 0) > 0 && (
          <Button icon="trash" onPress={() => setWish('discard')}>
            Scarta la bozza
          </Button>
        )}
      </div>
    </Dialog>
  );
}
