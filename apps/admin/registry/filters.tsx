/** Search and filters of the Registro: subject, actor, action and days. */
import { actionNames, auditActions } from '#server/domain/audit/audit-words.ts';
import { DayRange, readDay } from '#apps/admin/kit/list/day.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { FilterBar } from '#apps/admin/kit/list/filter-bar.tsx';
import styles from './registry.module.css';

export type RegistryFilters = ReturnType<typeof useRegistryFilters>;

export function useRegistryFilters() {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = withoutEmpty({
    q: text('q'),
    actor: text('actor'),
    action: oneOf('action', auditActions),
    from: readDay(text('from')),
    to: readDay(text('to')),
  });
  return { query, set, clear };
}

interface RegistrySearchProps {
  filters: RegistryFilters;
  people: readonly { actor: string; name: string }[];
}

/** Actors that are not users. */
const others = [
  ['visitor', 'Acquirenti e visitatori'],
  ['system', 'Il sistema'],
  ['stripe', 'Stripe'],
  ['cli', 'Riga di comando'],
] as const;

const actionChoices = auditActions
  .map((action) => [action, actionNames[action]] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other, 'it'));

export function RegistrySearch({ filters: { query, set }, people }: RegistrySearchProps) {
  return (
    <FilterBar
      query={query}
      set={set}
      label="Cerca per ordine, evento, persona o telefono"
      hint="Ordine, evento, persona o telefono"
    >
      <Choice
        label="Chi"
        all="Tutti"
        value={query.actor ?? ''}
        onChange={(value) => set('actor', value)}
        options={[...people.map(({ actor, name }) => [actor, name] as const), ...others]}
      />
      <Choice
        label="Che cosa"
        all="Tutte le azioni"
        value={query.action ?? ''}
        onChange={(value) => set('action', value)}
        options={actionChoices}
      />
      <div className={styles.days}>
        <DayRange query={query} set={set} />
      </div>
    </FilterBar>
  );
}
