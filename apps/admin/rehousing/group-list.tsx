/** All orders with tickets: old and new seats, and what each order loses. */
import { isolate } from '#server/domain/text/direction.ts';
import { useRef, useState, type KeyboardEvent } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import {
  countViews,
  findGroups,
  isLocked,
  isMarked,
  isUnplaced,
  lossesOf,
  orders,
  orderWords,
  sortGroups,
  unplacedWords,
  views,
  viewWords,
  type Group,
  type Plan,
  type SortedBy,
  type View,
} from './plan.ts';
import styles from './rehousing.module.css';

interface GroupListProps {
  plan: Plan;
  chosen: string | null;
  onChoose: (order_id: string) => void;
}

/** A long list is drawn in steps of this many. */
const step = 100;

export function GroupList({ plan, chosen, onChoose }: GroupListProps) {
  const [view, setView] = useState<View>('all');
  const [by, setBy] = useState<SortedBy>('number');
  const [text, setText] = useState('');
  const [most, setMost] = useState(step);
  const list = useRef<HTMLUListElement>(null);
  const counts = countViews(plan.groups);
  const found = sortGroups(findGroups(plan.groups, view, text), by);
  return (
    <section className={styles.groups} aria-label="Gruppi">
      <TextField
        type="search"
        label="Cerca per nome o numero d’ordine"
        value={text}
        maxLength={100}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          list.current?.querySelector('button')?.focus();
        }}
      />
      <Segments
        legend="Quali gruppi"
        value={view}
        options={views.map((one) => [one, `${viewWords[one]} ${counts[one]}`])}
        onChange={setView}
      />
      <Segments
        legend="Come si elencano"
        value={by}
        options={orders.map((one) => [one, orderWords[one]])}
        onChange={setBy}
      />
      {found.length === 0 && <p className={textStyles.soft}>Nessun gruppo.</p>}
      <ul ref={list} className={styles.list}>
        {found.slice(0, most).map((group) => (
          <li key={group.order_id}>
            <button
              type="button"
              className={styles.group}
              aria-pressed={group.order_id === chosen}
              onKeyDown={stepFocus}
              onClick={() => onChoose(group.order_id)}
            >
              <GroupWords group={group} />
            </button>
          </li>
        ))}
      </ul>
      {found.length > most && (
        <Button
          small
          onClick={() => setMost(most + step)}
          label={`Mostra altri ${Math.min(step, found.length - most)}`}
        />
      )}
    </section>
  );
}

/** The arrow keys move through the list, Enter chooses. */
function stepFocus(event: KeyboardEvent<HTMLButtonElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
  const at = buttons.indexOf(event.currentTarget);
  buttons[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

function GroupWords({ group }: { group: Group }) {
  const { number, buyer_name, lines } = group;
  const losses = lossesOf(group);
  return (
    <>
      <span className={styles.who}>
        <b>{isolate(buyer_name ?? 'Senza nome')}</b>{' '}
        <span className={`${textStyles.soft} ${textStyles.code}`}>{number}</span>{' '}
        <span className={textStyles.soft}>{formatCount(lines.length, 'posto', 'posti')}</span>
        {isLocked(group) && (
          <span className={styles.mark}>
            <Icon name="lock" size={14} /> bloccato
          </span>
        )}
      </span>
      <WhereWords group={group} />
      {losses.length > 0 && <span className={textStyles.warn}>{losses.join(' · ')}</span>}
      {isMarked(group) && <span className={textStyles.warn}>da rimborsare</span>}
      {isUnplaced(group) && <span className={textStyles.bad}>{reasonOf(group)}</span>}
    </>
  );
}

/** More seats than this are counted and not named. */
const mostTold = 2;

function WhereWords({ group: { lines } }: { group: Group }) {
  return (
    <>
      {lines.slice(0, mostTold).map(({ line_id, from, to, stays }) => (
        <span key={line_id} className={styles.where}>
          {from} → {stays ? 'resta' : (to ?? 'nessun posto')}
        </span>
      ))}
      {lines.length > mostTold && (
        <span className={textStyles.soft}>
          e {formatCount(lines.length - mostTold, 'altro posto', 'altri posti')}
        </span>
      )}
    </>
  );
}

function reasonOf({ lines }: Group): string {
  const reason = lines.find(({ to_object }) => to_object === null)?.reason ?? 'hall_full';
  return unplacedWords[reason].why;
}
