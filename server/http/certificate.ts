/** The page that gives phones the local certificate authority and explains how to trust it. */
import type { Router } from '@koa/router';
import { formatDate } from '#server/domain/time/dates.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';

interface Certificate {
  /** `until`: epoch ms. */
  authority: () => { der: Buffer; fingerprint: string; name: string; until: number };
  addresses: () => { https: string[] };
}

const certificatePage = '/certificato';
const file = '/certificato/botteghino.crt';

/**
 * Also served over plain HTTP, because a phone comes here before it trusts the certificate;
 * nothing here is secret.
 */
export function serveCertificate(router: Router, certificate: Certificate): void {
  router.get(certificatePage, (http) => {
    http.type = 'html';
    http.set('Cache-Control', 'no-store');
    http.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
    http.body = drawPage(certificate);
  });
  router.get(file, (http) => {
    // iPhones and Android phones offer to install a file of this type.
    http.type = 'application/x-x509-ca-cert';
    http.set('Cache-Control', 'no-store');
    http.body = certificate.authority().der;
  });
  // Without HTTPS a phone allows neither camera nor storage, so the scanner's address leads here.
  router.get(/^\/scanner(?:\/|$)/, async (http, next) => {
    const isPhoneAddress =
      http.hostname !== 'localhost' &&
      certificate.addresses().https.some((address) => new URL(address).hostname === http.hostname);
    if (http.secure || !isPhoneAddress) return next();
    http.set('Cache-Control', 'no-store');
    http.redirect(certificatePage);
  });
}

const button = 'Scarica il certificato';
const ways = (name: string): { title: string; steps: string[] }[] => [
  {
    title: 'iPhone e iPad',
    steps: [
      `Apri questa pagina con Safari, tocca «${button}» e poi «Consenti».`,
      'Apri Impostazioni: in alto è comparso «Profilo scaricato». Toccalo, scegli «Installa» e scrivi il codice del telefono.',
      `Sempre in Impostazioni vai su Generali, Info e, in fondo, sull’attendibilità dei certificati: accendi l’interruttore accanto a «${name}».`,
    ],
  },
  {
    title: 'Android',
    steps: [
      `Tocca «${button}»: il telefono salva il file «botteghino.crt».`,
      'Apri Impostazioni e cerca «certificato CA». Di solito sta in Sicurezza, Altre impostazioni, Crittografia e credenziali, Installa un certificato.',
      'Scegli «Certificato CA», conferma con «Installa comunque» e indica il file appena salvato.',
    ],
  },
  {
    title: 'Computer',
    steps: [
      'Apri il file scaricato e mettilo fra le autorità di certificazione attendibili del sistema. Firefox ha un elenco tutto suo, in Impostazioni, Privacy e sicurezza, Certificati.',
    ],
  },
];

function drawPage({ authority, addresses }: Certificate): string {
  const { fingerprint, name, until } = authority();
  // `localhost` on a phone would be the phone itself.
  const links = addresses()
    .https.filter((address) => !address.startsWith('https://localhost:'))
    .map(escapeHtml)
    .map((address) => `<li><a href="${address}/scanner/">${address}/scanner/</a></li>`)
    .join('');
  const sections = ways(escapeHtml(name))
    .map(
      ({ title, steps }) =>
        `<section><h2>${title}</h2><ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol></section>`,
    )
    .join('');
  return `<!doctype html>
<html lang="it"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${words.title}</title><style>${style}</style></head>
<body><main>
<h1>${words.title}</h1>
<p>${words.why}</p>
<p><a class="button" href="${file}">${button}</a></p>
${sections}
<section><h2>${words.opening}</h2><p>${words.open}</p><ul class="links">${links}</ul></section>
<section><h2>${words.trustTitle}</h2><p>${words.compare}</p><p class="print">${fingerprint.replaceAll(':', ':<wbr>')}</p><p>${words.reach} ${words.until(formatDate(new Date(until).toISOString().slice(0, 10)))}</p><p>${words.remove}</p></section>
</main></body></html>
`;
}

const words = {
  title: 'Prepara questo telefono',
  why: 'Per usare la fotocamera e la memoria del telefono il browser vuole una connessione cifrata. Questo computer ha un certificato fatto in casa: il telefono deve conoscerlo, una volta sola.',
  opening: 'Poi apri il lettore',
  open: 'Il primo indirizzo è quello più probabile; il telefono deve essere nella stessa rete Wi-Fi.',
  trustTitle: 'Perché fidarsi',
  compare:
    'L’impronta SHA-256 qui sotto deve essere uguale a quella scritta nella finestra del programma, sul computer. Se è diversa, non installare niente.',
  reach:
    'Il certificato vale soltanto per i nomi di casa e la sua chiave non lascia mai il computer.',
  until: (date: string) => `Scade il ${date}.`,
  remove: 'Quando non serve più, toglilo dallo stesso posto in cui lo hai installato.',
};

const style = `:root{color-scheme:light dark;--bg:light-dark(#f6f7fa,#0d1117);--raised:light-dark(#fff,#161c26);--line:light-dark(#d4dbe6,#2b3444);--text:light-dark(#131a26,#eef2f8);--soft:light-dark(#4c5a70,#a9b5c7);--primary:light-dark(#1f5fd1,#4f8ef7);--link:light-dark(#174aa6,#7aaafa);--on:light-dark(#fff,#071326);--focus:light-dark(#b35c00,#ffd166)}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main{max-width:40rem;margin:0 auto;padding:2rem 1rem 3rem}h1,h2{margin:0;line-height:1.2;font-family:Palatino,'Liberation Serif',Georgia,serif}h2{font-size:1.25rem}p{margin:.75rem 0 0}
section{margin-top:1.25rem;padding:1rem;border:1px solid var(--line);border-radius:12px;background:var(--raised)}
ol,ul{margin:.75rem 0 0;padding-left:1.4rem}li+li{margin-top:.5rem}.links{padding:0;list-style:none}.links a{display:inline-flex;min-height:44px;align-items:center;overflow-wrap:anywhere}
.button{display:flex;min-height:52px;align-items:center;justify-content:center;border-radius:12px;background:var(--primary);color:var(--on);font-weight:700;text-decoration:none}
a{color:var(--link);text-underline-offset:.2em}.print{padding:.75rem;border-radius:8px;background:var(--bg);font:.95rem/1.7 ui-monospace,monospace;overflow-wrap:anywhere}:focus-visible{outline:3px solid var(--focus);outline-offset:2px}`;
