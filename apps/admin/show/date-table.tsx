/** The dates of a show as a table: day and hour, own title or texts, tickets sold. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readShow } from '#server/contract/shows.ts';
import { listEventFields } from '#server/domain/event/field-names.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { EventBadge, Sold } from '#apps/admin/event/links.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

type ShowDate = ReplyOf<typeof readShow>['dates'][number];

/** `title` is the show's; a date with another title shows it. */
export function DateTable({ dates, title }: { dates: readonly ShowDate[]; title: string }) {
  return (
    <Table cards columns={['Data', 'Stato', 'Venduti']}>
      <tbody>
        {dates.map((date) => (
          <tr key={date.id}>
            <th scope="row">
              <Link
                className={textStyles.strong}
                to={`/events/${encodeURIComponent(date.id)}`}
                aria-label={`${date.title || title}, ${formatShortDate(date.starts_at)}`}
              >
                {formatShortDate(date.starts_at)}
              </Link>
              {date.title !== title && <SecondLine>{date.title}</SecondLine>}
              {date.own_fields.length > 0 && (
                <SecondLine>Di suo: {listEventFields(date.own_fields)}</SecondLine>
              )}
            </th>
            <td>
              <EventBadge event={date} />{' '}
              {date.needs_day && <Badge tone="warn">Senza un giorno suo</Badge>}
              {date.postponed_from !== null && (
                <SecondLine>Rinviato: era {formatShortDate(date.postponed_from)}</SecondLine>
              )}
            </td>
            <td>
              <Sold counts={date.counts} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
