/** Fields for how many of each coin and note there are, and their sum. */
import { denominations } from '#server/domain/counter/counter.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import styles from '#apps/admin/sell/sell.module.css';

/** The typed number of each coin or note, by its value in cents. */
export type Pieces = Readonly<Record<string, string>>;

interface PieceFieldsProps {
  pieces: Pieces;
  onChange: (pieces: Pieces) => void;
}

export function PieceFields({ pieces, onChange }: PieceFieldsProps) {
  return (
    <div className={styles.pieces}>
      {denominations.map((value, at) => (
        <TextField
          key={value}
          label={formatEuro(value)}
          inputMode="numeric"
          maxLength={5}
          data-autofocus={at === 0 || undefined}
          value={pieces[String(value)] ?? ''}
          onChange={(text) => onChange({ ...pieces, [String(value)]: text.replace(/\D/g, '') })}
        />
      ))}
    </div>
  );
}

/** The coins and notes that were counted. */
export function toldPieces(pieces: Pieces): Record<string, number> {
  const counts = Object.entries(pieces).map(([value, text]) => [value, Number(text)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The counted sum in cents. */
export function sumOfPieces(pieces: Pieces): number {
  return denominations.reduce<number>(
    (sum, value) => sum + value * Number(pieces[String(value)] ?? ''),
    0,
  );
}
