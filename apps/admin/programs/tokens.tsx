/** The keys of other programs: what each may read, its last use, revoking it. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listProgramTokens, revokeProgramToken } from '#server/contract/program/tokens.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { scopeWords, tokenStateWords } from './words.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Token = ReplyOf<typeof listProgramTokens>['items'][number];

export function Tokens() {
  const tokens = useEndpoint(listProgramTokens, {}, { refetchInterval: 30_000 });
  const [making, setMaking] = useState(false);
  return (
    <Panel aria-labelledby="tokens-title">
      <div className={panelStyles.title}>
        <h2 id="tokens-title">Chiavi per leggere</h2>
        <Button icon="plus" label="Nuova chiave" onClick={() => setMaking(true)} />
      </div>
      <Loaded query={tokens}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={textStyles.soft}>
              Nessuna: nessun altro programma legge i dati di questo botteghino.
            </p>
          ) : (
            <TokenTable tokens={items} />
          )
        }
      </Loaded>
      {making && <TokenDialog onClose={() => setMaking(false)} />}
    </Panel>
  );
}

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  return (
    <Table cards columns={['Chiave', 'Può leggere', 'Ultimo uso', { hidden: 'Azioni' }]}>
      <tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </tbody>
    </Table>
  );
}

function TokenRow({ token }: { token: Token }) {
  const change = useChange();
  const { id, name, token_start, scopes, event, state, expires_at, last_used_at } = token;
  return (
    <tr className={state === 'valid' ? undefined : tableStyles.gone}>
      <th scope="row">
        <span className={textStyles.strong}>{name}</span>
        <SecondLine>
          <span className={textStyles.code}>{token_start}…</span>
          {expires_at !== null && `, fino a ${formatListDate(expires_at)}`}
        </SecondLine>
      </th>
      <td>
        {scopes.map((scope) => scopeWords[scope].word).join(', ')}
        <SecondLine>{event === null ? 'Tutti gli eventi' : (event.title ?? event.id)}</SecondLine>
      </td>
      <td>
        <span className={tableStyles.label}>Ultimo uso: </span>
        {last_used_at === null ? 'mai' : formatListDate(last_used_at)}
      </td>
      <td>
        {state === 'valid' ? (
          <AskButton
            label={
              <>
                Revoca…<span className="visually-hidden"> {name}</span>
              </>
            }
            title={`Revocare la chiave «${name}»?`}
            danger
            text={<p>Chi la usa non legge più niente, da subito. Non si può annullare.</p>}
            confirmLabel="Revoca la chiave"
            onConfirm={() => change(revokeProgramToken, { params: { programTokenId: id } })}
          />
        ) : (
          <StateBadge {...tokenStateWords[state]} />
        )}
      </td>
    </tr>
  );
}
