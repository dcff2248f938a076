/** All mail to buyers, newest first: what left, what waits, what could not leave and why. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listMails } from '#server/contract/mails.ts';
import { mailKinds, mailStates, type MailKind, type MailState } from '#server/domain/mail.ts';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { keyOf } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useRowKeys, useSlashKey } from './keys.ts';
import { PageTitle } from './layout.tsx';
import { Empty, Loaded } from './loaded.tsx';
import { mailKindWords, mailStateWords, mailTroubleWords } from './mailbox-words.ts';
import { useTypedSearch } from './typed-search.ts';

type MailLine = ReplyOf<typeof listMails>['items'][number];

export function MailboxScreen() {
  const filters = useMailFilters();
  const { q, state, kind, order_id } = filters.values;
  const query = { ...(q && { q }), ...(state && { state }), ...(kind && { kind }), ...(order_id && { order_id }), limit: '50' };
  const mails = useInfiniteQuery({
    queryKey: [...keyOf(listMails, { query }), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listMails, { query: { ...query, ...(pageParam !== null && { cursor: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

  return (
    <>
      <PageTitle title="Posta" />
      <MailSearch filters={filters} />
      <div aria-busy={mails.isPlaceholderData} className={mails.isPlaceholderData ? 'list waiting' : 'list'}>
        <Loaded query={mails}>
          {({ pages }) => {
            const rows = pages.flatMap((page) => page.items);
            return (
              <>
                {!pages[0]!.leaves && <StaysHere />}
                {rows.length === 0 ? <NoMails filtered={filters.active} onClear={filters.clear} /> : (
                  <>
                    <MailTable mails={rows} />
                    <p className="more">
                      {mails.hasNextPage
                        ? <AsyncButton onClick={() => mails.fetchNextPage()} busy={mails.isFetchingNextPage}>Carica altri</AsyncButton>
                        : <span className="soft">{formatCount(rows.length, 'messaggio', 'messaggi')} in tutto</span>}
                    </p>
                  </>
                )}
              </>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}

export function StaysHere() {
  return <p className="notice"><Icon name="info" /> <span>Non è configurato nessun server di posta: i messaggi non escono da qui. Per spedirli davvero imposta <code>SMTP_URL</code> e <code>MAIL_FROM</code>.</span></p>;
}

interface MailFilters { values: { q: string; state: MailState | ''; kind: MailKind | ''; order_id: string }; active: boolean; set: (name: 'q' | 'state' | 'kind', value: string) => void; clear: () => void }

/** In the address: reload, back and a shared link keep them. */
function useMailFilters(): MailFilters {
  const [params, setParams] = useSearchParams();
  const values = {
    q: (params.get('q') ?? '').slice(0, 100), order_id: (params.get('order_id') ?? '').slice(0, 100),
    state: mailStates.find((known) => known === params.get('state')) ?? '' as const, kind: mailKinds.find((known) => known === params.get('kind')) ?? '' as const,
  };
  return {
    values, active: Object.values(values).some((value) => value !== ''),
    set: (name, value) => setParams((old) => {
      const next = new URLSearchParams(old);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, { replace: true }),
    clear: () => setParams({}, { replace: true }),
  };
}

function MailSearch({ filters }: { filters: MailFilters }) {
  const { q, state, kind } = filters.values;
  const field = useRef<HTMLInputElement>(null);
  const { typed, type, apply } = useTypedSearch(q, (text) => filters.set('q', text));
  useSlashKey(field);
  useRowKeys(field);
  return (
    <search><form className="toolbar" onSubmit={(event) => { event.preventDefault(); apply(); }}>
      <div className="search">
        <Icon name="search" />
        <input
          ref={field} className="ui-input" type="search" aria-label="Cerca per indirizzo, nome o numero d’ordine" placeholder="Indirizzo, nome o numero d’ordine" value={typed} maxLength={100} autoComplete="off" spellCheck={false} aria-keyshortcuts="/"
          onChange={(event) => type(event.target.value)} onKeyDown={(event) => event.key === 'Escape' && type('')}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <div className="filter">
        <select className="ui-input" aria-label="Stato" value={state} onChange={(event) => filters.set('state', event.target.value)}>
          <option value="">Tutti gli stati</option>
          {mailStates.map((name) => <option key={name} value={name}>{mailStateWords[name].word}</option>)}
        </select>
      </div>
      <div className="filter">
        <select className="ui-input" aria-label="Tipo" value={kind} onChange={(event) => filters.set('kind', event.target.value)}>
          <option value="">Tutti i tipi</option>
          {mailKinds.map((name) => <option key={name} value={name}>{mailKindWords[name]}</option>)}
        </select>
      </div>
    </form></search>
  );
}

function MailTable({ mails }: { mails: MailLine[] }) {
  return (
    <table className="table mails">
      <thead><tr><th scope="col">Messaggio</th><th scope="col">A</th><th scope="col">Ordine</th><th scope="col">Stato</th><th scope="col">Creato</th></tr></thead>
      <tbody>
        {mails.map((mail) => (
          <tr key={mail.mail_id} className={mail.state === 'failed' ? 'attention' : undefined}>
            <th scope="row" className="cell-subject">
              <Link className="stretch clip" to={`/mailbox/${mail.mail_id}`} data-row>{mail.subject ?? mailKindWords[mail.kind]}</Link>
              <span className="soft clip">{mail.trouble === null ? mailKindWords[mail.kind] : mailTroubleWords[mail.trouble.trouble]}</span>
            </th>
            <td className="cell-to"><span className="clip">{mail.to_address ?? <span className="soft">{mail.state === 'waiting' ? 'Non ancora indicato' : 'Nessun indirizzo'}</span>}</span></td>
            <td className="cell-order">{mail.order_number === null ? '–' : <span className="code">{mail.order_number}</span>}</td>
            <td className="cell-state"><MailBadge mail={mail} /></td>
            <td className="cell-created"><time dateTime={mail.created_at}>{formatListDate(mail.created_at)}</time></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function MailBadge({ mail }: { mail: Pick<MailLine, 'state'> }) {
  const words = mailStateWords[mail.state];
  return <Badge tone={words.tone} icon={words.icon}>{words.word}</Badge>;
}

function NoMails({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <Empty icon="mail" title="Non c’è ancora nessun messaggio."><p>Ogni ordine confermato riceve i suoi biglietti per e-mail: i messaggi compaiono qui da soli.</p></Empty>;
  return (
    <Empty icon="search" title="Nessun messaggio trovato.">
      <p>Controlla i filtri o cerca solo una parte dell’indirizzo.</p>
      <button type="button" className="ui-button" onClick={onClear}>Mostra tutti i messaggi</button>
    </Empty>
  );
}
