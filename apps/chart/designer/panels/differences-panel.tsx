/** The changes from the published drawing: in words, and as colours over the drawing. */
import { useEffect, useMemo, useState } from 'react';
import type { Heat } from '#apps/chart/designer/canvas/paint/picture.ts';
import { useSession } from '#apps/chart/designer/saving/use-session.ts';
import { Button, Check } from '#apps/chart/designer/kit/controls.tsx';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { diffDrawings, type Change } from '#server/drawing/diff/diff.ts';
import { tellDiff } from '#server/drawing/diff/words.ts';
import type { Place } from '#server/drawing/model/places.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { FindingList } from './finding-list.tsx';
import { useLate } from './use-late.ts';

const COLOURS: Record<Change, string> = {
  added: '#1f9d61',
  removed: '#c93a3a',
  relabelled: '#b8279f',
  retyped: '#b8279f',
  resized: '#8a5cd0',
  repainted: '#e08a1e',
  marked: '#4a90c2',
  renamed: '#4a90c2',
  moved: '#2f6fd6',
};
const NAMES: readonly [Change, string][] = [
  ['added', 'aggiunto'],
  ['removed', 'tolto (anello tratteggiato)'],
  ['moved', 'spostato'],
  ['relabelled', 'rinominato o venduto in altro modo'],
  ['repainted', 'di un’altra categoria'],
  ['marked', 'altre caratteristiche'],
];

/** Colours each place by its gravest change; removed places are marked where they were. */
function differenceHeat(before: Doc, after: Doc): Heat {
  const colours = new Map<string, Map<number | null, string>>();
  const gone: Place[] = [];
  for (const { before: old, after: place, changes } of diffDrawings(before, after).places) {
    if (!place) {
      if (old) gone.push(old);
      continue;
    }
    const known = colours.get(place.item) ?? new Map<number | null, string>();
    const [gravest = 'marked'] = changes;
    colours.set(place.item, known.set(place.seat, COLOURS[gravest]));
  }
  return Object.assign((id: string, seat: number | null) => colours.get(id)?.get(seat) ?? null, {
    gone,
  });
}

type Read = { state: 'reading' } | { state: 'failed' } | { state: 'read'; doc: Doc };

/** The published drawing, read again after another one is published. */
function usePublished(): { read: Read; again: () => void } {
  const { session } = useDesigner();
  const version = useSession((state) => state.publishedVersion);
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState<{ of: string; read: Read } | null>(null);
  const wanted = `${version} ${tries}`;
  useEffect(() => {
    let isGone = false;
    const found = (read: Read) => {
      if (!isGone) setKnown({ of: wanted, read });
    };
    if (session.isStored)
      session.calls.readDrawing('published').then(
        ({ doc }) => found({ state: 'read', doc }),
        () => found({ state: 'failed' }),
      );
    return () => {
      isGone = true;
    };
  }, [session, wanted]);
  const read: Read = known?.of === wanted ? known.read : { state: 'reading' };
  return { read, again: () => setTries(tries + 1) };
}

export function DifferencesPanel({ studio }: { studio: Studio }) {
  const { session } = useDesigner();
  const { read, again } = usePublished();
  if (!session.isStored)
    return (
      <p className="bsd-hint">La pianta non è ancora salvata: non c’è niente da confrontare.</p>
    );
  if (read.state === 'reading') return <p className="bsd-hint">Leggo la pianta pubblicata…</p>;
  if (read.state === 'failed')
    return (
      <div className="bsd-stack">
        <p className="bsd-note" data-tone="warn">
          La pianta pubblicata non si legge: controlla la connessione.
        </p>
        <Button onPress={again}>Riprova</Button>
      </div>
    );
  return <Compared studio={studio} published={read.doc} />;
}

function Compared({ studio, published }: { studio: Studio; published: Doc }) {
  const { setHeat } = useDesigner();
  const overlay = useStudio(studio, (state) => state.overlay);
  const compare = useMemo(
    () => (doc: Doc) => tellDiff(diffDrawings(published, doc), { before: published, after: doc }),
    [published],
  );
  useEffect(() => {
    setHeat('difference', (doc) => differenceHeat(published, doc));
  }, [setHeat, published]);
  const { value } = useLate(studio, compare);
  const isShown = overlay === 'difference';
  return (
    <div className="bsd-stack">
      <p className="bsd-hint">Che cosa cambia rispetto alla pianta pubblicata.</p>
      <Check
        label="Colora i posti cambiati"
        checked={isShown}
        onChange={(shown) => studio.set({ overlay: shown ? 'difference' : 'none' })}
      />
      {isShown && (
        <ul className="bsd-panel-list bsd-panel-legend">
          {NAMES.map(([change, name]) => (
            <li key={change}>
              <span className="bsd-swatch" style={{ background: COLOURS[change] }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      {value?.length === 0 && <p>La bozza è uguale alla pianta pubblicata.</p>}
      {value && <FindingList lines={value} />}
    </div>
  );
}
