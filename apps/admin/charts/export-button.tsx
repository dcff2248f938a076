/** Saves the published drawing of a chart as a file, in the format of seats.io. */
import { useState } from 'react';
import { exportDrawing } from '#server/contract/charts.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';

/** The file's address lives this long, because slow browsers begin a download late. */
const keptMs = 60_000;

function save(name: string, text: string): void {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(new Blob([text], { type: 'application/json' })),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
}

export function ExportButton({ chart: { key, name } }: { chart: { key: string; name: string } }) {
  const act = useAct();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function download() {
    setBusy(true);
    setFailure(null);
    try {
      const { drawing } = await act(exportDrawing, { params: { chartKey: key } });
      save(`${key}.json`, JSON.stringify(drawing));
    } catch (error) {
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        small
        icon="download"
        label="Esporta"
        aria-label={`Esporta ${name}`}
        busy={busy}
        onClick={() => void download()}
      />
      <FailureNotice text={failure} />
    </>
  );
}
