/** Shows whether Stripe, the seat map and the mail server answer. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readToday } from '#server/contract/today.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import type { StateWords } from '#apps/admin/kit/words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './today.module.css';

type Today = ReplyOf<typeof readToday>;

const names = { stripe: 'Stripe', seatsio: 'Pianta dei posti', mail: 'Server di posta' };

export function Providers({ providers, mail }: Pick<Today, 'providers' | 'mail'>) {
  return (
    <Panel aria-labelledby="providers-title">
      <h2 id="providers-title">Servizi e posta</h2>
      <ul className={styles.waiting}>
        {providers.map(({ name, up }) => (
          <li key={name}>
            {names[name]} <StateBadge {...upWords(up)} />
          </li>
        ))}
        <li>
          E-mail <StateBadge {...mailWords(mail)} />
        </li>
      </ul>
      <p className={textStyles.links}>
        <Link to="/settings/health">Salute</Link>
        <Link to="/settings/mail">Posta</Link>
      </p>
    </Panel>
  );
}

function upWords(up: boolean | null): StateWords {
  if (up === null) return { tone: 'neutral', icon: 'clock', word: 'Non ancora usato' };
  return up
    ? { tone: 'good', icon: 'check', word: 'Risponde' }
    : { tone: 'bad', icon: 'warning', word: 'Non risponde' };
}

function mailWords({ leaves, failed, waiting }: Today['mail']): StateWords {
  if (!leaves) return { tone: 'warn', icon: 'warning', word: 'Posta non configurata' };
  if (failed > 0)
    return {
      tone: 'warn',
      icon: 'warning',
      word: formatCount(failed, 'non inviata', 'non inviate'),
    };
  if (waiting > 0)
    return { tone: 'neutral', icon: 'clock', word: formatCount(waiting, 'in attesa', 'in attesa') };
  return { tone: 'good', icon: 'check', word: 'Inviate' };
}
