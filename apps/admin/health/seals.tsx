/** Whether the Registro is unchanged: how far its seals hold, and which ones are broken. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { checkInvariants } from '#server/contract/health.ts';
import { readSeals } from '#server/contract/registry.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { formatAgo, useNow } from '#apps/admin/kit/clock.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { sealFaultWords } from './words.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

type Seals = ReplyOf<typeof readSeals>;

export function useSeals() {
  return useEndpoint(readSeals, {}, { refetchInterval: 30_000 });
}

/** As in "Integro fino al 23/11/2026 16:05". */
export function sealWords({ broken, checked_at, whole_until }: Seals) {
  const until = whole_until === null ? '' : ` fino al ${formatListDate(whole_until)}`;
  if (broken.length > 0)
    return {
      tone: 'bad',
      icon: 'warning',
      word: `Toccato: integro solo${until || ' prima'}`,
    } as const;
  if (checked_at === null)
    return { tone: 'neutral', icon: 'clock', word: 'Non ancora controllato' } as const;
  if (whole_until === null)
    return { tone: 'neutral', icon: 'clock', word: 'Niente da controllare finora' } as const;
  return { tone: 'good', icon: 'check', word: `Integro${until}` } as const;
}

export function SealState() {
  const seals = useSeals();
  const act = useAct();
  const now = useNow(30_000);
  return (
    <Loaded query={seals}>
      {(data) => (
        <>
          <div className={styles.state}>
            <StateBadge {...sealWords(data)} />
            <span className={textStyles.soft}>{tellSeals(data, now)}</span>
            <AsyncButton
              className={buttonStyles.small}
              onClick={async () => {
                await act(checkInvariants, {});
                await seals.refetch();
              }}
            >
              Verifica adesso
            </AsyncButton>
          </div>
          {data.broken.length > 0 && <BrokenSeals seals={data} />}
        </>
      )}
    </Loaded>
  );
}

function tellSeals({ checked_at, seals, waiting }: Seals, now: number): string {
  const checked = checked_at === null ? '' : `Ultimo controllo: ${formatAgo(checked_at, now)}. `;
  const open = waiting === 0 ? '' : ` Ancora da sigillare, entro un minuto: ${waiting}.`;
  return `${checked}${formatCount(seals, 'sigillo', 'sigilli')}.${open}`;
}

function BrokenSeals({ seals: { broken, last_hash } }: { seals: Seals }) {
  return (
    <Notice as="div" tone="bad" role="alert">
      <p>
        <b>Qualcuno ha cambiato il Registro dopo che è stato sigillato.</b> Confrontalo con una
        copia del database di prima.
      </p>
      <ul className={styles.broken}>
        {broken.map(({ n, fault, sealed_at }) => (
          <li key={`${n} ${fault}`}>
            Sigillo {n}
            {sealed_at !== null && ` del ${formatListDate(sealed_at)}`}: {sealFaultWords(fault)}
          </li>
        ))}
      </ul>
      <TechnicalDetails>
        <code>{last_hash}</code>
      </TechnicalDetails>
    </Notice>
  );
}
