import { simpleParser } from 'mailparser';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An e-mail as its reader sees it. */
export interface Mail {
	to: string;
	subject: string;
	text: string;
	/** Where its buttons lead. */
	links: string[];
}

/** A mail server on this machine that keeps what it gets. `smtp` is the data of an n8n credential for it. */
export async function startMailServer() {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData: (stream, _session, done) => {
			simpleParser(stream).then(({ to, subject = '', text = '', html }) => {
				const links = [...String(html).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
				mails.push({
					to: [to ?? []]
						.flat()
						.map((each) => each.text)
						.join(),
					subject,
					text,
					links,
				});
				done();
			}, done);
		},
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	const { port } = server.server.address() as AddressInfo;
	return {
		mails,
		smtp: { host: '127.0.0.1', port, user: '', password: '', secure: false, disableStartTls: true },
		close: async () => await new Promise<void>((resolve) => server.close(resolve)),
	};
}
