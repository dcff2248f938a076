/** The price rules of the house, a show or a date: the list, a button to add one, the trial box. */
import { useState } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { addHouseRule } from '#server/contract/price-rules.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { RuleList } from './list.tsx';
import { useAddRule, useRules, type KnownRule, type Owner, type RulesDesk } from './owner.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { Trial } from './trial.tsx';
import { givenWords } from './words.ts';
import styles from './rules.module.css';

interface RulesProps {
  owner: Owner;
  /** The show of a date, whose rules count for it. */
  showId?: string | null;
}

export function PriceRules({ owner, showId = null }: RulesProps) {
  return (
    <Loaded query={useRules(owner)}>
      {(desk) => (
        <>
          <RulesPanel owner={owner} showId={showId} desk={desk} />
          <Trial owner={owner} desk={desk} />
        </>
      )}
    </Loaded>
  );
}

const counting: Record<Owner['of'], string> = {
  house: 'Valgono per tutti gli spettacoli, insieme a quelle di ogni spettacolo e data.',
  show: 'Valgono per tutte le date dello spettacolo, insieme a quelle della casa.',
  event: 'Valgono per questa data, insieme a quelle dello spettacolo e della casa.',
};

function RulesPanel({ owner, showId, desk }: RulesProps & { desk: RulesDesk }) {
  const add = useAddRule(owner);
  const mayChange = useMay(addHouseRule.who);
  const [isAdding, setAdding] = useState(false);
  const rulesOf = (level: Owner['of']) => desk.rules.filter(({ of }) => of === level);
  const own = rulesOf(owner.of);
  const above = aboveOf(owner, showId ?? null).filter(({ of }) => rulesOf(of).length > 0);
  const addButton = mayChange && (
    <Button icon="plus" label="Aggiungi una regola" onClick={() => setAdding(true)} />
  );
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Regole di prezzo</h2>
        {own.length > 0 && addButton}
      </div>
      <p className={textStyles.soft}>
        {counting[owner.of]} A chi compra tocca sempre la somma più bassa che permettono.
      </p>
      {own.length > 0 ? (
        <RuleList desk={desk} rules={own} label="Regole di prezzo" mayChange={mayChange} />
      ) : (
        <Empty icon="ticket" title="Qui non c’è ancora nessuna regola.">
          <p>
            Una regola abbassa i prezzi da sola, sul sito e alla cassa. Per esempio: «Ogni 3 Interi
            in Platea, 1 gratis (il meno caro), solo online, fino al 20/12/2026.»
          </p>
          {addButton}
        </Empty>
      )}
      {above.map(({ of, label, ...from }) => (
        <RuleList
          key={of}
          desk={desk}
          rules={rulesOf(of)}
          label={label}
          from={from}
          mayChange={mayChange}
        />
      ))}
      <Ended ended={desk.ended} />
      {isAdding && <RuleDialog desk={desk} onSave={add} onClose={() => setAdding(false)} />}
    </Panel>
  );
}

interface Above {
  of: KnownRule['of'];
  label: string;
  to: string;
  words: string;
}

/** The levels whose rules count here, too. */
function aboveOf({ of }: Owner, showId: string | null): Above[] {
  const house: Above = {
    of: 'house',
    label: 'Della casa',
    to: '/settings/prices',
    words: 'Regole della casa',
  };
  const show: Above = {
    of: 'show',
    label: 'Dello spettacolo',
    to: `/shows/${encodeURIComponent(showId ?? '')}/rules`,
    words: 'Regole di tutte le date',
  };
  if (of === 'house') return [];
  return of === 'show' || showId === null ? [house] : [show, house];
}

function Ended({ ended }: Pick<RulesDesk, 'ended'>) {
  if (ended.length === 0) return null;
  return (
    <>
      <h3>Tolte, con quello che hanno dato</h3>
      <ul className={styles.list} aria-label="Regole tolte">
        {ended.map(({ rule_id, name, given }) => (
          <li key={rule_id} className={styles.rule}>
            <b>{name}</b> <span className={textStyles.soft}>{givenWords(given)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
