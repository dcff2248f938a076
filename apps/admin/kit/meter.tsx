/** A hall as a bar: who is inside before who has a ticket before all places. It only repeats the figures beside it. */

export interface MeterProps {
  inside: number;
  sold: number;
  places: number;
}

export function Meter({ inside, sold, places }: MeterProps) {
  const share = (of: number) => `${places === 0 ? 0 : Math.min(1, of / places) * 100}%`;
  return (
    <span className="bar presence-bar" aria-hidden="true">
      <span className="presence-sold" style={{ inlineSize: share(sold) }} />
      <span className="presence-in" style={{ inlineSize: share(inside) }} />
    </span>
  );
}
