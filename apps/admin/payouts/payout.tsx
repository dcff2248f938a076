/** One payout: its sums, its lines compared with our books, and an open difference. */
import { Link, useParams } from 'react-router-dom';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { exportPayout, listPayoutLines, readPayout } from '#server/contract/payouts.ts';
import {
  failureName,
  movementNames,
  sumNames,
  tellDifference,
} from '#server/domain/payment/payout-words.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { agreementWords, payoutStateWords, lineStandingWords } from './words.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Payout = ReplyOf<typeof readPayout>;
type Line = ReplyOf<typeof listPayoutLines>['items'][number];

export function PayoutScreen() {
  const { payoutId } = useParams() as { payoutId: string };
  const payout = useEndpoint(readPayout, { params: { payoutId } }, { refetchInterval: 30_000 });
  return (
    <>
      <BackLink to="/reports/payouts">Accrediti</BackLink>
      <Loaded query={payout}>{(data) => <PayoutDetail payout={data} />}</Loaded>
    </>
  );
}

function PayoutDetail({ payout }: { payout: Payout }) {
  return (
    <>
      <PageTitle title={`Accredito del ${formatListDate(payout.arrives_at).slice(0, 10)}`}>
        <StateBadge {...payoutStateWords(payout.state)} />
        <StateBadge {...agreementWords(payout)} />
      </PageTitle>
      {payout.state === 'failed' && (
        <Notice tone="bad">
          La banca lo ha respinto
          {payout.failure !== null && `: ${failureName(payout.failure)}`}. Il denaro è tornato sul
          saldo di Stripe e arriva con un accredito successivo: controlla l’IBAN su Stripe.
        </Notice>
      )}
      {payout.differences > 0 && <Differences payout={payout} />}
      <div className={panelStyles.panels}>
        <About payout={payout} />
        {payout.read && <Sums payout={payout} />}
      </div>
      <div className={panelStyles.below}>
        {payout.automatic ? <Lines payout={payout} /> : <ByHand />}
      </div>
    </>
  );
}

function About({ payout }: { payout: Payout }) {
  return (
    <Panel aria-labelledby="about">
      <h2 id="about">Accredito</h2>
      <Facts>
        <Fact name="Importo">{formatEuro(payout.amount_cents)}</Fact>
        <Fact name="Partito">{formatListDate(payout.created_at)}</Fact>
        <Fact name="In banca">{formatListDate(payout.arrives_at).slice(0, 10)}</Fact>
        {payout.bank_reference !== null && (
          <Fact name="Riferimento della banca">{payout.bank_reference}</Fact>
        )}
        <Fact name="Codice">
          <TechnicalDetails>
            <code>{payout.payout_id}</code>
          </TechnicalDetails>
        </Fact>
      </Facts>
    </Panel>
  );
}

function Sums({ payout: { sums, sum_cents, amount_cents } }: { payout: Payout }) {
  return (
    <Panel aria-labelledby="sums">
      <h2 id="sums">Di che cosa è fatto</h2>
      <Table
        cards
        columns={['Movimenti', { number: 'Lordo' }, { number: 'Commissioni' }, { number: 'Netto' }]}
      >
        <tbody>
          {sums.map((sum) => (
            <tr key={sum.kind}>
              <th scope="row">
                {sumNames[sum.kind]}{' '}
                <SecondLine>{formatCount(sum.lines, 'riga', 'righe')}</SecondLine>
              </th>
              <td className={tableStyles.number}>
                <span className={tableStyles.label}>Lordo </span>
                {formatEuro(sum.gross_cents)}
              </td>
              <td className={tableStyles.number}>
                <span className={tableStyles.label}>Commissioni </span>
                {formatEuro(-sum.fee_cents)}
              </td>
              <td className={tableStyles.number}>
                <span className={tableStyles.label}>Netto </span>
                {formatEuro(sum.net_cents)}
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={3}>
              Somma delle righe
            </th>
            <td className={tableStyles.number}>
              <b>{formatEuro(sum_cents ?? 0)}</b>
            </td>
          </tr>
        </tbody>
      </Table>
      {sum_cents !== amount_cents && (
        <p>
          Mancano o avanzano {formatEuro(amount_cents - (sum_cents ?? 0))} rispetto all’importo.
        </p>
      )}
    </Panel>
  );
}

function Differences({ payout }: { payout: Payout }) {
  const lines = useEndpoint(listPayoutLines, {
    params: { payoutId: payout.payout_id },
    query: { differing: 'true' },
  });
  return (
    <Notice as="div" tone="bad">
      <p>{formatCount(payout.differences, 'differenza', 'differenze')} con gli incassi di qui.</p>
      <Loaded query={lines}>
        {({ items }) => (
          <ul>
            {items.map((line) => (
              <li key={line.line_id}>{tellDifference(line)}</li>
            ))}
          </ul>
        )}
      </Loaded>
      {payout.break_id !== null && <Link to="/attention">Sistema la differenza</Link>}
    </Notice>
  );
}

function ByHand() {
  return (
    <Notice tone="warn" icon="info">
      Questo accredito è stato chiesto a mano: Stripe non dice di quali incassi è fatto, perciò non
      si può confrontare riga per riga.
    </Notice>
  );
}

function Lines({ payout: { payout_id, read } }: { payout: Payout }) {
  const params = { payoutId: payout_id };
  const pages = usePages(listPayoutLines, { params }, 60_000);
  if (!read)
    return (
      <p className={textStyles.soft}>
        Stripe sta ancora preparando le righe: compaiono qui appena pronte.
      </p>
    );
  return (
    <>
      <p className={textStyles.links}>
        <a href={addressOf(exportPayout, params, { format: 'excel' })} download>
          <Icon name="download" size={16} /> CSV (Excel italiano)
        </a>
        <a href={addressOf(exportPayout, params, { format: 'plain' })} download>
          CSV
        </a>
      </p>
      <PagedList pages={pages}>{(rows) => <LineTable lines={rows} />}</PagedList>
    </>
  );
}

function LineTable({ lines }: { lines: readonly Line[] }) {
  return (
    <Table
      cards
      columns={[
        'Movimento',
        'Ordine',
        { number: 'Lordo' },
        { number: 'Commissione' },
        { number: 'Netto' },
        'Confronto',
      ]}
    >
      <tbody>
        {lines.map((line) => (
          <tr key={line.line_id}>
            <th scope="row">
              {movementNames[line.kind]}
              <SecondLine>{formatListDate(line.created_at)}</SecondLine>
            </th>
            <td>
              <Whose line={line} />
            </td>
            <td className={tableStyles.number}>
              <span className={tableStyles.label}>Lordo </span>
              {formatEuro(line.gross_cents)}
            </td>
            <td className={tableStyles.number}>
              <span className={tableStyles.label}>Commissione </span>
              {formatEuro(-line.fee_cents)}
            </td>
            <td className={tableStyles.number}>
              <span className={tableStyles.label}>Netto </span>
              {formatEuro(line.net_cents)}
            </td>
            <td>
              <StateBadge {...lineStandingWords(line.standing)} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Whose({ line }: { line: Line }) {
  if (line.order_id === null)
    return <span className={textStyles.soft}>{line.description ?? '–'}</span>;
  return (
    <>
      <Link to={`/orders/${line.order_id}`}>{line.order_number}</Link>
      {line.buyer_name !== null && ` · ${isolate(line.buyer_name)}`}
      <SecondLine>{nameOfEvent(line)}</SecondLine>
    </>
  );
}
