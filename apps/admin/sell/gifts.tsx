/** What the gifts of a sale mean for the VAT, before they are given. */
import { readGifts } from '#server/contract/gifts.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { GiftMeters, type Gifts } from '#apps/admin/papers/gifts.tsx';
import type { BasketLine } from './basket.ts';

interface SaleGiftsProps {
  eventId: string;
  /** The lines that would cost nothing. */
  lines: readonly BasketLine[];
}

export function SaleGifts({ eventId, lines }: SaleGiftsProps) {
  const gifts = useEndpoint(
    readGifts,
    { params: { eventId } },
    { enabled: lines.length > 0, staleTime: 10_000 },
  ).data;
  if (gifts === undefined) return null;
  const sectors = sectorsWith(gifts, lines);
  if (sectors.length === 0) return null;
  return (
    <div role="status">
      <GiftMeters vat_percent={gifts.vat_percent} sectors={sectors} withThese />
    </div>
  );
}

/** The sectors of these lines, with their tickets as given. */
function sectorsWith({ sectors, not_counted }: Gifts, lines: readonly BasketLine[]) {
  const counted = lines.filter(({ ticket_type }) => !not_counted.includes(ticket_type));
  return sectors.flatMap((sector) => {
    const own = counted.filter(({ sold }) => sold && sector.categories.includes(sold.category));
    const tickets = own.reduce((sum, line) => sum + line.tickets, 0);
    return tickets === 0 ? [] : { ...sector, given: sector.given + tickets };
  });
}
