/** A price in cents, with the full price struck through where a rule has lowered it. */
import { formatEuro, sayPrice } from '#apps/shared/format.ts';

interface LoweredPriceProps {
  cents: number | null;
  /** Null: nothing has lowered it. */
  list_cents: number | null;
}

export function LoweredPrice({ cents, list_cents }: LoweredPriceProps) {
  if (cents === null || list_cents === null || list_cents <= cents) return sayPrice(cents);
  const [full, now] = [formatEuro(list_cents), formatEuro(cents)];
  return (
    <>
      <span className="visually-hidden">
        prezzo intero {full}, paghi {now}
      </span>
      <span aria-hidden="true">
        <s className="soft">{full}</s> {now}
      </span>
    </>
  );
}
