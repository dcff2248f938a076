/** A preview of the event’s public page, drawn from the form, saved or not. */
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { previewOf } from './picture.tsx';
import { instantOf } from './times.ts';
import type { EventValues } from './values.ts';
import { usePrices } from './known-prices.ts';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import richTextStyles from '#apps/admin/kit/form/rich-text.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './preview.module.css';

export function EventPreview({ values, onClose }: { values: EventValues; onClose: () => void }) {
  const starts = instantOf(values.starts_at);
  const doors = instantOf(values.doors_at);
  const find = usePrices(
    values.seat_pricing.flatMap((entry) => entry.ticketTypes.map((type) => type.price_id)),
  );
  return (
    <Modal title="Anteprima per chi visita il sito" onClose={onClose}>
      <article className={styles.preview}>
        {values.banner_image !== null && (
          <img className={styles.banner} src={previewOf(values.banner_image, 1280)} alt="" />
        )}
        <div className={styles.head}>
          {values.event_ball_image !== null && (
            <img className={styles.ball} src={previewOf(values.event_ball_image)} alt="" />
          )}
          <div>
            <h3>{values.title || 'Senza titolo'}</h3>
            <p>
              <Icon name="calendar" size={16} />{' '}
              {starts === null ? 'Data da decidere' : formatLongDate(starts)}
            </p>
            {doors !== null && (
              <p className={textStyles.soft}>Apertura porte {formatLongDate(doors)}</p>
            )}
            <p>
              <Icon name="pin" size={16} />{' '}
              {joinParts(values.venue_title || 'Luogo da decidere', values.venue_address)}
            </p>
          </div>
          {values.band_ball_image !== null && (
            <img
              className={`${styles.ball} ${styles.band}`}
              src={previewOf(values.band_ball_image)}
              alt=""
            />
          )}
        </div>
        {/* oxlint-disable-next-line react/no-danger -- from the editor's own schema, or cleaned by the server */}
        <div
          className={richTextStyles.written}
          dangerouslySetInnerHTML={{ __html: values.description }}
        />
        <ul className={styles.prices}>
          {values.seat_pricing.flatMap((entry) =>
            entry.ticketTypes.map((type) => {
              const found = find(type.price_id);
              return found.kind === 'known' && found.price.sellable ? (
                <li key={`${entry.category} ${type.ticketType}`}>
                  {entry.category}, {type.label}: <b>{formatEuro(found.price.unit_amount)}</b>
                </li>
              ) : null;
            }),
          )}
        </ul>
      </article>
    </Modal>
  );
}
