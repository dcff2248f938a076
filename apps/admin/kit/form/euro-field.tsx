/** A field for an amount in euros as Italians type it: "10", "10,50", "1.234,50". */

import { TextField } from '#apps/admin/kit/form/text-field.tsx';

/** Cents; null if the text is not an amount. */
export function readEuro(text: string): number | null {
  const plain = text.replace(/[\s€]/g, '').replace(/\.(?=\d{3}(\D|$))/g, '');
  const match = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(plain);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null;
}

/** "12,50": an amount as it is typed. */
export function euroTextOf(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',');
}

interface EuroFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  hint?: string;
  /** Gets the focus when the dialog opens. */ isFirst?: boolean;
}

export function EuroField({ label, value, onChange, hint, isFirst }: EuroFieldProps) {
  const wrong = value.trim() !== '' && readEuro(value) === null;
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      data-autofocus={isFirst || undefined}
      maxLength={12}
      value={value}
      onChange={onChange}
      error={wrong ? 'Scrivi una somma, per esempio 12,50.' : null}
    />
  );
}
