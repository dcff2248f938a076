/** The basket as a list; the line that a digit would change is marked. */
import { formatEuro } from '#apps/shared/format.ts';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';
import type { BasketLine, Till } from './basket.ts';
import styles from './till.module.css';

interface BasketProps {
  lines: readonly BasketLine[];
  /** For seats that are kept for a contingent. */
  contingents: Till['contingents'];
  current: number;
  onPick: (at: number) => void;
  onType: (nth: number) => void;
}

export function Basket({ lines, contingents, current, onPick, onType }: BasketProps) {
  const chosen = lines[Math.min(current, lines.length - 1)];
  if (chosen === undefined)
    return <p className={styles.empty}>Nessun posto scelto: scrivi qui sopra o tocca la pianta.</p>;
  return (
    <>
      <ol className={styles.basket} aria-label="Posti scelti">
        {lines.map((line, at) => (
          <li key={line.object_id}>
            <button
              type="button"
              aria-current={at === current ? 'true' : undefined}
              onClick={() => onPick(at)}
            >
              <span>
                {line.name}
                {line.quantity > 1 && ` (${line.quantity})`}
                <KeptFor object={line.object_id} contingents={contingents} />
              </span>
              <span>{line.type_label}</span>
              <span>
                {line.unit_cents === null ? 'N/D' : formatEuro(line.unit_cents * line.quantity)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <ul className={styles.types} aria-label="Tipo di biglietto della riga scelta">
        {chosen.types.map((type, at) => (
          <li key={type.ticketType}>
            <button type="button" className="ui-button" onClick={() => onType(at + 1)}>
              <kbd>{at + 1}</kbd> {type.label} {formatEuro(type.cents)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Best seats may be kept for a contingent, so the seller must see it. */
function KeptFor({ object, contingents }: { object: string } & Pick<BasketProps, 'contingents'>) {
  const contingent = contingents.find(({ objects }) => objects.includes(object));
  if (contingent === undefined) return null;
  return (
    <>
      {' '}
      <Swatch color={contingent.color} /> {contingent.name}
    </>
  );
}
