/** One group: the new seat of each ticket, and ways to seat the group otherwise. */
import { isolate } from '#server/domain/text/direction.ts';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import {
  choicesFor,
  displacedBy,
  isLocked,
  isMarked,
  isUnplaced,
  lossesOf,
  readObjects,
  unplacedWords,
  type Group,
  type NewHall,
  type Plan,
  partiesOf,
} from './plan.ts';
import type { usePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

interface GroupPanelProps {
  plan: Plan;
  hall: NewHall;
  group: Group;
  picked: readonly string[];
  working: ReturnType<typeof usePlan>;
  onPicked: (objects: readonly string[]) => void;
  onClose: () => void;
}

export function GroupPanel(props: GroupPanelProps) {
  const { group, working, onClose } = props;
  const locked = isLocked(group);
  return (
    <Panel
      className={styles.panel}
      aria-label="Il gruppo scelto"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3>
        {isolate(group.buyer_name ?? 'Senza nome')}{' '}
        <Link className={textStyles.code} to={`/orders/${encodeURIComponent(group.order_id)}`}>
          {group.number}
        </Link>
      </h3>
      <GroupLines group={group} />
      <TypedSeats {...props} />
      <Picked {...props} />
      <div className={buttonStyles.actions}>
        <Button
          small
          icon="lock"
          busy={working.busy}
          disabled={isUnplaced(group) || isMarked(group)}
          onClick={() => void working.lock(group, !locked)}
          label={locked ? 'Sblocca' : 'Blocca qui'}
        />
        <Button small look="quiet" onClick={onClose} label="Chiudi" />
      </div>
    </Panel>
  );
}

function GroupLines({ group }: { group: Group }) {
  const losses = lossesOf(group);
  const missing = group.lines.find(({ to_object, marked }) => to_object === null && !marked);
  const words = missing && unplacedWords[missing.reason ?? 'hall_full'];
  return (
    <>
      <ul className={styles.lines}>
        {group.lines.map(({ line_id, from, to, to_category, stays }) => (
          <li key={line_id}>
            {from} → <b>{stays ? 'resta' : (to ?? 'nessun posto')}</b>
            {to_category !== null && <span className={textStyles.soft}> ({to_category})</span>}
          </li>
        ))}
      </ul>
      {losses.length > 0 && <p className={textStyles.warn}>{losses.join(' · ')}</p>}
      {isMarked(group) && (
        <Notice tone="warn">
          Segnato per il rimborso: con il cambio riceve indietro {formatEuro(group.back_cents)}. Se
          scegli un posto, il segno si toglie.
        </Notice>
      )}
      {words && (
        <Notice tone="bad">
          {words.why} {words.way}
        </Notice>
      )}
    </>
  );
}

function needsWords(count: number): string {
  return count === 1 ? 'Serve un posto.' : `Servono ${count} posti.`;
}

function TypedSeats({ hall, group, working, onPicked }: GroupPanelProps) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = async () => {
    const objects = readObjects(text, hall);
    if (typeof objects === 'string') return setSaid(objects);
    const choices = choicesFor(group, objects, hall);
    if (choices === null) return setSaid(needsWords(partiesOf(group).length));
    setSaid(null);
    if (!(await working.seat(choices))) return;
    setText('');
    onPicked([]);
  };
  const count = partiesOf(group).length;
  return (
    <form
      className={styles.typed}
      aria-label="Scegli scrivendo"
      onSubmit={(event) => {
        event.preventDefault();
        if (!working.busy && text.trim() !== '') void send();
      }}
    >
      <TextField
        ref={field}
        label={count === 1 ? 'Nuovo posto' : 'Nuovi posti'}
        value={text}
        maxLength={400}
        onChange={setText}
        hint={`${needsWords(count)} Tocca la pianta, oppure scrivi (Platea B4 B5) e premi Invio.`}
      />
      <FailureNotice text={said} />
    </form>
  );
}

/** The places pressed on the map, and who would lose a seat. */
function Picked({ plan, hall, group, picked, working, onPicked }: GroupPanelProps) {
  if (picked.length === 0) return null;
  const choices = choicesFor(group, picked, hall);
  const displaced = displacedBy(plan, group, picked, hall);
  const missing = partiesOf(group).length - picked.length;
  const nameOf = (object: string) =>
    hall.places.find((place) => place.object === object)?.name ?? object;
  return (
    <div className={styles.picked} aria-live="polite">
      <p>
        Scelti sulla pianta: <b>{picked.map(nameOf).join('; ')}</b>
        {choices === null && `. Ne ${missing === 1 ? 'manca' : 'mancano'} ${missing}.`}
      </p>
      {displaced.length > 0 && (
        <p className={textStyles.warn}>
          {displaced
            .map(({ buyer_name, number }) => `${isolate(buyer_name ?? 'Senza nome')} (${number})`)
            .join(', ')}
          : resta senza posto finché non risolvi di nuovo il resto.
        </p>
      )}
      <div className={buttonStyles.actions}>
        <Button
          small
          look="primary"
          busy={working.busy}
          disabled={choices === null}
          onClick={async () => {
            if (choices !== null && (await working.seat(choices))) onPicked([]);
          }}
          label={`Metti qui ${formatCount(group.lines.length, 'posto', 'posti')}`}
        />
        <Button small onClick={() => onPicked([])} label="Togli" />
      </div>
    </div>
  );
}
