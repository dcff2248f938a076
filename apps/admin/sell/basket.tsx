/** The basket as a list; the line that a digit would change is marked. */
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { LoweredPrice } from '#apps/shared/ui/lowered-price.tsx';
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
  /** One guest more or less at the table of the marked line. */
  onGuest: (step: 1 | -1) => void;
}

export function Basket({ lines, contingents, current, onPick, onType, onGuest }: BasketProps) {
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
                {line.isArea && line.quantity > 1 && ` (${line.quantity})`}
                <KeptFor object={line.object_id} contingents={contingents} />
              </span>
              <span>{line.type_label}</span>
              <span>
                <LoweredPrice {...line} />
              </span>
              {line.reason !== null && <small className={styles.reason}>{line.reason}</small>}
            </button>
          </li>
        ))}
      </ol>
      {chosen.whole && <Guests line={chosen} whole={chosen.whole} onGuest={onGuest} />}
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

interface GuestsProps {
  line: BasketLine;
  whole: NonNullable<BasketLine['whole']>;
  onGuest: (step: 1 | -1) => void;
}

/** How many come to the table, and what is paid for it. */
function Guests({ line: { quantity, tickets, unit_cents }, whole, onGuest }: GuestsProps) {
  const { places, minimum, price_per } = whole;
  return (
    <div className={styles.guests} role="group" aria-label="Quanti vengono">
      <span aria-live="polite">
        <strong>
          Vengono in {quantity} di {places}
        </strong>
        <span>
          {price_per === 'object'
            ? 'Il prezzo è per l’intero.'
            : `Si pagano ${formatCount(tickets, 'posto', 'posti')}${unit_cents === null ? '' : ` da ${formatEuro(unit_cents)}`}${tickets > quantity ? `, il minimo è ${minimum}` : ''}.`}
        </span>
      </span>
      <button
        type="button"
        className="ui-button"
        aria-label="Uno in meno"
        disabled={quantity <= 1}
        onClick={() => onGuest(-1)}
      >
        <kbd>−</kbd>
      </button>
      <button
        type="button"
        className="ui-button"
        aria-label="Uno in più"
        disabled={quantity >= places}
        onClick={() => onGuest(1)}
      >
        <kbd>+</kbd>
      </button>
    </div>
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
