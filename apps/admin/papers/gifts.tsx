/** Free tickets by sector, against the part of its places for which gifts bear no VAT. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readGifts } from '#server/contract/gifts.ts';
import { giftLevel, giftWarning, giftWords } from '#server/domain/papers/gift-meter.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import meterStyles from '#apps/admin/kit/meter.module.css';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import styles from './gifts.module.css';

export type Gifts = ReplyOf<typeof readGifts>;

/** Nothing where no ticket is sold for money. */
export function GiftPanel({ eventId }: { eventId: string }) {
  const gifts = useEndpoint(readGifts, { params: { eventId } }, { refetchInterval: 30_000 }).data;
  if (gifts === undefined || gifts.sectors.length === 0) return null;
  return (
    <Panel>
      <h2>Omaggi senza IVA</h2>
      <GiftMeters {...gifts} />
    </Panel>
  );
}

interface MetersProps extends Pick<Gifts, 'vat_percent' | 'sectors'> {
  /** The sale that is being made is counted already. */
  withThese?: boolean;
}

export function GiftMeters({ vat_percent, sectors, withThese = false }: MetersProps) {
  return (
    <ul className={styles.meters}>
      {sectors.map((sector) => (
        <li key={sector.name}>
          {giftWords(sector, { withThese })}
          <Bar {...sector} />
          <Warning text={giftWarning(sector, vat_percent)} />
        </li>
      ))}
    </ul>
  );
}

function Bar({ given, allowed }: { given: number; allowed: number }) {
  const share = allowed === 0 ? Math.min(1, given) : Math.min(1, given / allowed);
  return (
    <span
      className={joinClasses(meterStyles.bar, styles[giftLevel({ given, allowed })])}
      aria-hidden="true"
    >
      <span style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}

function Warning({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <span className={styles.warning}>
      <Icon name="warning" size={16} /> {text}
    </span>
  );
}
