/** Search and filters of the Registro: about whom, who, what, when. */
import { actionNames, auditActions } from '#server/domain/audit-words.ts';
import { Day, readDay } from '#apps/admin/kit/list/day.tsx';
import {
  Choice,
  SearchField,
  useAddressFilters,
  whatIsSet,
} from '#apps/admin/kit/list/filters.tsx';
import { FoldedFilters } from '#apps/admin/kit/list/folded.tsx';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import styles from './registry.module.css';

export type RegistryFilters = ReturnType<typeof useRegistryFilters>;

export function useRegistryFilters() {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = whatIsSet({
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

/** Who else acts than people. */
const others = [
  ['visitor', 'Acquirenti e visitatori'],
  ['system', 'Il sistema'],
  ['stripe', 'Stripe'],
] as const;

const actionChoices = auditActions
  .map((action) => [action, actionNames[action]] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other, 'it'));

export function RegistrySearch({ filters: { query, set }, people }: RegistrySearchProps) {
  const search = useTypedSearch(query.q ?? '', (text) => set('q', text));
  return (
    <search>
      <form
        className={filterStyles.toolbar}
        onSubmit={(event) => {
          event.preventDefault();
          search.apply();
        }}
      >
        <SearchField
          search={search}
          label="Cerca per ordine, evento, persona o telefono"
          hint="Ordine, evento, persona o telefono"
        />
        <FoldedFilters set={Object.keys(query).filter((name) => name !== 'q').length}>
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
            <Day
              label="Dal"
              value={query.from ?? ''}
              max={query.to ?? ''}
              onChange={(day) => set('from', day)}
            />
            <Day
              label="al"
              value={query.to ?? ''}
              min={query.from ?? ''}
              onChange={(day) => set('to', day)}
            />
          </div>
        </FoldedFilters>
      </form>
    </search>
  );
}
