import { checkBaseUrl } from '../../../nodes/OutboundCalls/http/credential';

const PATH = '/api/v1/outbound';
const refused = (message: RegExp) => ({
	ok: false,
	error: { message: expect.stringMatching(message) as string },
});
const listed = (text: string): string[] => text.split(' ');

it.each([
	...listed('https://example.com HTTPS://EXAMPLE.com:8443 https://8.8.8.8 http://localhost:5678'),
	...listed('http://api.localhost http://127.0.0.1:1234 http://127.1.2.3 http://[::1]:80'),
	...listed('http://10.0.0.1 http://172.16.0.1 http://172.31.255.255 http://192.168.1.10:8080'),
	...listed('http://[fd12:3456::1] http://outbound-api:3000 http://calls.local'),
	...listed('http://calls.corp.internal'),
])('the Base URL %s is used', (origin) => {
	expect(checkBaseUrl(` ${origin}${PATH}// `)).toEqual({ ok: true, value: `${origin}${PATH}` });
});

it.each([
	...listed('http://example.com HTTP://EXAMPLE.COM http://8.8.8.8 http://172.15.0.1'),
	...listed('http://172.32.0.1 http://192.169.0.1 http://11.0.0.1 http://169.254.169.254'),
	...listed('http://100.64.0.1 http://[2001:db8::1] http://[::ffff:8.8.8.8]'),
	...listed('http://127.0.0.1.example.com http://localhost.example.com http://10.example.com'),
	...listed('http://calls.local.example.com http://example.internal.com http://0x8080808'),
	...listed('http://134744072 http://example\u3002com'),
])('the Base URL %s is refused, because the token would be readable on its way', (origin) => {
	expect(checkBaseUrl(`${origin}${PATH}`)).toMatchObject(refused(/begins with http:\/\//));
});

it.each([
	...['https://exa mple.com', 'https://a\tb.com', 'https://good.com\\evil', 'https://[::1'],
	...['https://host:99999', 'https://%zz', 'https://a<b>'],
])('the Base URL %j is no web address, and the message shows it', (origin) => {
	expect(checkBaseUrl(`${origin}${PATH}`)).toMatchObject(
		refused(/^The Base URL in the credential is ".*", which is not a web address$/),
	);
});
