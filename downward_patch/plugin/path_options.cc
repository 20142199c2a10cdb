#include "path_options.h"

#include <cctype>
#include <vector>

using namespace std;

namespace asnets_plugin {
static const string MARK = "path_0x";

static bool is_space(char c) {
    return isspace(static_cast<unsigned char>(c));
}

static bool is_name_character(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

static string hidden(const string &path) {
    static const char *digits = "0123456789abcdef";
    string result = MARK;
    for (char each : path) {
        unsigned char byte = static_cast<unsigned char>(each);
        result += digits[byte >> 4];
        result += digits[byte & 15];
    }
    return result;
}

static void skip_spaces(const string &text, size_t &place) {
    while (place < text.size() && is_space(text[place]))
        ++place;
}

// The name that begins at `place`, in lower case; "" if none does.
static string read_name(const string &text, size_t &place) {
    string name;
    while (place < text.size() && is_name_character(text[place]))
        name += static_cast<char>(tolower(static_cast<unsigned char>(text[place++])));
    return name;
}

static bool ends_argument(const string &text, size_t place) {
    return place >= text.size() || text[place] == ',' || text[place] == ')';
}

static string read_path(const string &text, size_t &place) {
    if (place < text.size() && (text[place] == '"' || text[place] == '\'')) {
        size_t end = text.find(text[place], place + 1);
        if (end != string::npos) {
            size_t after = end + 1;
            skip_spaces(text, after);
            if (ends_argument(text, after)) {
                string path = text.substr(place + 1, end - place - 1);
                place = after;
                return path;
            }
        }
    }
    string path;
    while (!ends_argument(text, place))
        path += text[place++];
    while (!path.empty() && is_space(path.back()))
        path.pop_back();
    return path;
}

// At the beginning of an argument of asnet_...(): the place of its path, else npos.
static size_t path_of_argument(const string &text, size_t place, int number) {
    skip_spaces(text, place);
    size_t value = place;
    string name = read_name(text, value);
    skip_spaces(text, value);
    if (!name.empty() && value < text.size() && text[value] == '=') {
        if (name != "model" && name != "domain" && name != "problem")
            return string::npos;
        ++value;
        skip_spaces(text, value);
        return value;
    }
    return number < 3 && !ends_argument(text, place) ? place : string::npos;
}

string hide_paths(const string &search) {
    string result;
    // By open bracket: the number of the present argument if it is that of asnet_...(), else -1.
    vector<int> arguments;
    string name; // what stands before the present place
    for (size_t i = 0; i < search.size();) {
        char c = search[i];
        result += c;
        ++i;
        if (is_name_character(c)) {
            name += static_cast<char>(tolower(static_cast<unsigned char>(c)));
            continue;
        }
        if (c == '(' || c == '[')
            arguments.push_back(c == '(' && name.compare(0, 6, "asnet_") == 0 ? 0 : -1);
        else if ((c == ')' || c == ']') && !arguments.empty())
            arguments.pop_back();
        else if (c == ',' && !arguments.empty() && arguments.back() >= 0)
            ++arguments.back();
        if (!is_space(c))
            name.clear();
        if ((c == '(' || c == ',') && !arguments.empty() && arguments.back() >= 0) {
            size_t path = path_of_argument(search, i, arguments.back());
            if (path != string::npos) {
                result += search.substr(i, path - i);
                result += hidden(read_path(search, path));
                i = path;
            }
        }
    }
    return result;
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

string show_paths(const string &text) {
    string result;
    for (size_t i = 0; i < text.size();) {
        if (text.compare(i, MARK.size(), MARK) != 0) {
            result += text[i++];
            continue;
        }
        i += MARK.size();
        for (; i + 1 < text.size() && digit_of(text[i]) >= 0 && digit_of(text[i + 1]) >= 0; i += 2)
            result += static_cast<char>(16 * digit_of(text[i]) + digit_of(text[i + 1]));
    }
    return result;
}
}
