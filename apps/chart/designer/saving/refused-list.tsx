/**
 * Sold or reserved places that an edit would remove: which places, why, who has them, and what to
 * do instead.
 */
import { useEffect, useState } from 'react';
import { tellRefused } from '#server/drawing/diff/words.ts';
import type { Refused } from '#server/drawing/diff/safe.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Held, Holder } from '#apps/chart/designer/line/safe-mode.ts';

const shown = 50;

type Names = Record<string, { text: string; href?: string }>;

/** Only the page knows who made an order; until it answers, the order's number is shown. */
function useHolders(orderIds: string[]): Names {
  const { config } = useDesigner();
  const [names, setNames] = useState<Names>({});
  const wanted = orderIds.join(' ');
  useEffect(() => {
    let isOver = false;
    const tell = config().tellHolders;
    if (tell && wanted !== '')
      tell(wanted.split(' ')).then(
        (told) => !isOver && setNames(told),
        () => {},
      );
    return () => {
      isOver = true;
    };
  }, [config, wanted]);
  return names;
}

function HolderLine({ holder, names }: { holder: Holder; names: Names }) {
  const told = holder.orderId === null ? undefined : names[holder.orderId];
  const text = told?.text ?? (holder.orderId === null ? 'trattenuto' : `ordine ${holder.orderId}`);
  return (
    <li>
      {holder.event}: {told?.href ? <a href={told.href}>{text}</a> : text}
    </li>
  );
}

export function RefusedList({ refused }: { refused: readonly Refused<Held>[] }) {
  const { config } = useDesigner();
  const some = refused.slice(0, shown);
  const orders = some.flatMap(({ taken }) =>
    taken.holders.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])),
  );
  const names = useHolders([...new Set(orders)]);
  const { wayOut } = config();
  return (
    <div className="bsd-stack">
      <ul className="bsd-refused">
        {some.map((one) => (
          <li key={`${one.taken.label} ${one.why}`}>
            <b>{tellRefused(one)}</b>
            <ul>
              {one.taken.holders.map((holder, index) => (
                <HolderLine key={index} holder={holder} names={names} />
              ))}
            </ul>
          </li>
        ))}
        {refused.length > shown && <li>… e altri {refused.length - shown} posti.</li>}
      </ul>
      {wayOut && (
        <p>
          <a href={wayOut.href}>{wayOut.text}</a>
        </p>
      )}
    </div>
  );
}
