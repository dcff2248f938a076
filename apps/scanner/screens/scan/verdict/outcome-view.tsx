/** What the screen says about the last scan: chooses the verdict's component. */
import { ForeignView } from './foreign-view.tsx';
import { fullWords, GroupView, SignView, VerdictView } from './verdict.tsx';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import { supervisorDecided } from '#apps/scanner/screens/scan/supervisor/deeds.ts';
import type { Outcome, Scans, VerdictOutcome } from '#apps/scanner/screens/scan/scans.ts';

interface OutcomeViewProps {
  outcome: Outcome;
  scans: Scans;
  /** Whether letting in against the rule needs a supervisor's consent. */
  asks: boolean;
}

/** The keys remount the component for each scan, so that its timer restarts. */
export function OutcomeView({ outcome, scans, asks }: OutcomeViewProps) {
  const { close } = scans;
  switch (outcome.kind) {
    case 'not_saved':
      return (
        <SignView
          sign="not_saved"
          text={outcome.fault === 'full' ? fullWords : undefined}
          onClose={close}
        />
      );
    case 'not_undone':
      return <SignView sign={outcome.kind} onClose={close} />;
    case 'foreign':
      return <ForeignView code={outcome.code} onClose={close} />;
    case 'no_use':
      return <SignView sign={outcome.why} onClose={close} />;
    case 'undone':
      return (
        <SignView
          key={outcome.admission_id}
          sign="undone"
          seat={outcome.seat}
          count={outcome.count}
          onClose={close}
        />
      );
    case 'group':
      return (
        <GroupView key={outcome.shown[0]?.admission_id} group={outcome.shown} onClose={close} />
      );
    case 'verdict':
      return (
        <VerdictView
          key={outcome.shown.admission_id}
          shown={withGroup(outcome, asks)}
          onClose={close}
          onOverrule={lacksCode(outcome) ? null : () => overrule(scans, outcome, asks)}
          onGroup={() => scans.letGroupPass(outcome)}
          onHowMany={() => scans.openDialog({ about: 'how_many', outcome })}
        />
      );
    default:
      return outcome satisfies never;
  }
}

/**
 * If a consent is needed and the first guest had no code, no group may follow: each guest needs a
 * consent.
 */
function withGroup({ shown, ticket }: VerdictOutcome, asks: boolean): Shown {
  const party = { ...shown.party, companions: [] };
  return asks && ticket.recognised.code === null ? { ...shown, party } : shown;
}

/** After a restart the code is gone, and overruling needs its proof, so it is read again. */
function lacksCode({ ticket: { means, recognised } }: VerdictOutcome): boolean {
  return means === 'code' && recognised.code === null;
}

function overrule(scans: Scans, { ticket, shown }: VerdictOutcome, asks: boolean): void {
  const { verdict } = shown;
  if (asks) scans.ask({ kind: 'overrule', ticket, verdict, reason: supervisorDecided });
  else scans.openDialog({ about: 'overrule', ticket, verdict });
}
