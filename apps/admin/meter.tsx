/** A bar that only repeats the figures beside it. */

export function Meter({ value, of }: { value: number; of: number }) {
  const share = of === 0 ? 0 : Math.min(1, value / of);
  return <span className="bar presence-bar" aria-hidden="true"><span style={{ inlineSize: `${share * 100}%` }} /></span>;
}
