/** The evenings that sell the published chart, and what their places will cost. */
import { useMemo } from 'react';
import { diffDrawings } from '#server/drawing/diff/diff.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Evening } from '#apps/chart/designer/config.ts';
import { tellPrices } from './evenings.ts';

export interface Sale {
  evenings: readonly Evening[];
  /** How many more evenings there are. */
  more: number;
}

interface EveningsLook {
  sale: Sale;
  published: Doc;
  doc: Doc;
}

export function Evenings({ sale: { evenings, more }, published, doc }: EveningsLook) {
  const diff = useMemo(() => diffDrawings(published, doc), [published, doc]);
  if (evenings.length === 0) return null;
  return (
    <>
      <h3>In vendita su questa pianta</h3>
      <ul className="bsd-evenings">
        {evenings.map((evening) => {
          const lines = tellPrices(evening, diff, { before: published, after: doc });
          return (
            <li key={evening.href}>
              <a href={evening.href}>{evening.title}</a>, {evening.when}
              {lines.length === 0 ? ': i prezzi restano.' : ':'}
              {lines.length > 0 && (
                <ul>
                  {lines.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
        {more > 0 && <li>{more === 1 ? '… e un’altra serata' : `… e altre ${more} serate`}</li>}
      </ul>
    </>
  );
}
