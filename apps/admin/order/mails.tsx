/** The mails that were sent to the buyer of an order. */
import { Link } from 'react-router-dom';
import { formatListDate } from '#apps/shared/format.ts';
import { mailKindWords, mailTroubleWords, mailWordsOf } from '#apps/admin/mail/words.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Order } from './shown-order.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './order.module.css';

export function OrderMails({ mails }: { mails: Order['mails'] }) {
  const mayRead = useMay('see_mail');
  return (
    <div className={panelStyles.part}>
      <h3>Posta</h3>
      {mails.length === 0 && <p className={textStyles.soft}>Nessuna e-mail scritta finora.</p>}
      <ul className={`${panelStyles.cards} ${styles.cards}`}>
        {mails.toReversed().map((mail) => (
          <li key={mail.mail_id}>
            <p className={panelStyles.cardTitle}>
              {mayRead ? (
                <Link to={`/settings/mail/${mail.mail_id}`}>{mailKindWords[mail.kind]}</Link>
              ) : (
                mailKindWords[mail.kind]
              )}{' '}
              <StateBadge {...mailWordsOf(mail.state, mail.trouble)} />
            </p>
            <p className={textStyles.soft}>
              {formatListDate(mail.sent_at ?? mail.created_at)}
              {mail.to_address !== null && ` · ${mail.to_address}`}
            </p>
            {mail.trouble !== null && (
              <p className={mail.state === 'failed' ? textStyles.bad : textStyles.soft}>
                {mailTroubleWords[mail.trouble]}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
