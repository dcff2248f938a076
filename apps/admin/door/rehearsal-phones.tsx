/** Chooses the phones that take part in a rehearsal. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { changePhone, listPhones } from '#server/contract/door/phones.ts';
import type { readRehearsal } from '#server/contract/door/rehearsals.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { Phone } from '#apps/admin/phone/state.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Scroller } from '#apps/admin/kit/page/scroller.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './rehearsal.module.css';

interface RehearsalPhonesProps {
  rehearsal: ReplyOf<typeof readRehearsal>;
  mayChange: boolean;
}

export function RehearsalPhones({ rehearsal, mayChange }: RehearsalPhonesProps) {
  const phones = useAllPages(listPhones, { refetchInterval: 10_000 });
  const client = useQueryClient();
  const act = useAct();
  const isIn = (phone: Phone) => rehearsal.phones.some(({ id }) => id === phone.id);

  async function toggle(phone: Phone) {
    const others = phone.events.map(({ id }) => id).filter((id) => id !== rehearsal.event_id);
    await act(changePhone, {
      params: { phoneId: phone.id },
      body: { event_ids: isIn(phone) ? others : [...others, rehearsal.event_id] },
    });
    await client.invalidateQueries();
  }

  return (
    <Panel aria-labelledby="taking-part">
      <h2 id="taking-part">Telefoni</h2>
      <Loaded query={phones}>
        {({ items }) => {
          const usable = items
            .filter(({ state }) => state !== 'revoked')
            .toSorted((a, b) => Number(isIn(b)) - Number(isIn(a)));
          if (usable.length === 0)
            return (
              <p>
                Non c’è ancora nessun telefono: <Link to="/door/phones">aggiungine uno</Link> e
                scegli questa prova tra i suoi eventi.
              </p>
            );
          return (
            <Scroller className={styles.phones} aria-label="Telefoni">
              {usable.map((phone) => (
                <li key={phone.id}>
                  <span>
                    {phone.name}
                    <span className={`${textStyles.soft} ${styles.gate}`}>
                      {phone.gate ?? 'Tutti i varchi'}
                    </span>
                  </span>
                  <TakesPart
                    phone={phone}
                    isIn={isIn(phone)}
                    onToggle={mayChange ? () => toggle(phone) : null}
                  />
                </li>
              ))}
            </Scroller>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface TakesPartProps {
  phone: Phone;
  isIn: boolean;
  /** Null: read only. */
  onToggle: (() => Promise<void>) | null;
}

function TakesPart({ phone, isIn, onToggle }: TakesPartProps) {
  const words = (
    <>
      <Icon name="check" size={16} /> Partecipa
    </>
  );
  if (onToggle === null) return isIn && <span className={textStyles.good}>{words}</span>;
  return (
    <AsyncButton
      className={buttonStyles.small}
      aria-pressed={isIn}
      // A phone needs at least one event.
      disabled={isIn && phone.events.length === 1}
      onClick={onToggle}
      aria-label={`${phone.name} partecipa`}
    >
      {isIn ? words : 'Aggiungi'}
    </AsyncButton>
  );
}
