/** Sections or categories with who is in them: a bar for the eye, figures for everybody. */
import { useId } from 'react';
import { Meter } from '#apps/admin/kit/meter.tsx';
import type { Presence } from './presence-words.ts';

export function PresenceParts({
  title,
  name,
  parts,
}: {
  title: string;
  name: string;
  parts: Presence['by_section'];
}) {
  const id = useId();
  // One part is the whole, which stands above already.
  if (parts.length < 2) return null;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="table presence-table">
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col" className="number">
              Presenti
            </th>
            <th scope="col" className="number">
              Biglietti
            </th>
            <th scope="col" className="number">
              Posti
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name}>
              <th scope="row">
                {part.name}
                <Meter {...part} />
              </th>
              <td className="number">
                <b>{part.inside.toLocaleString('it-IT')}</b>
              </td>
              <td className="number">{part.sold.toLocaleString('it-IT')}</td>
              <td className="number">{part.places.toLocaleString('it-IT')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
