// Drive for four seconds and tell where the robot is: java drive.java [PORT]
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;

class Drive {
    static BufferedReader in;
    static PrintStream out;

    static String ask(String request) throws Exception {
        out.print(request + "\n");
        out.flush();
        String reply = in.readLine();
        if (reply == null || reply.startsWith("{\"error\"")) throw new Exception(reply);
        return reply;
    }

    public static void main(String[] words) throws Exception {
        try (Socket link = new Socket("127.0.0.1", words.length > 0 ? Integer.parseInt(words[0]) : 8180)) {
            in = new BufferedReader(new InputStreamReader(link.getInputStream(), "UTF-8"));
            out = new PrintStream(link.getOutputStream(), false, "UTF-8");
            ask("{\"do\": \"reset\"}");
            ask("{\"do\": \"drive\", \"robot\": \"scout\", \"m_s\": 0.5}");
            ask("{\"do\": \"wait\", \"s\": 4}");
            System.out.println(ask("{\"do\": \"pose\", \"robot\": \"scout\"}"));
        }
    }
}
